/**
 * Recomputes the contrasts and distances of the colours in styles/tokens.css, and fails where one is too small.
 *
 * Contrast is that of WCAG 2. Distances are Euclidean in OKLab, times 100; readers who see fewer colours are
 * simulated with the matrices of Machado, Oliveira and Fernandes (2009) at full severity, in linear light.
 */
import { readFileSync } from "node:fs";

const LOOKS = ["light", "dark"];
const OUTCOMES = ["right", "wrong", "missing", "extra", "ignored"];
const GROUNDS = ["paper", "raised", "sunk", "selected", ...OUTCOMES.map((outcome) => `${outcome}-tint`)];

/** What the visual language promises: the smallest contrast of a colour on a ground, light and dark. */
const CONTRASTS = [
  ["ink", ["paper"], [16.0, 14.5]],
  ["soft", ["paper"], [6.6, 8.2]],
  ["accent", ["paper"], [6.9, 8.9]],
  ["ink", GROUNDS, [5.5, 5.5]],
  ["soft", GROUNDS, [5.5, 5.5]],
  ["accent", GROUNDS, [5.5, 5.5]],
  ["strong", ["paper"], [3.6, 4.1]],
  ["right", ["paper"], [5.4, 7.8]],
  ["wrong", ["paper"], [7.9, 5.9]],
  ["missing", ["paper"], [14.7, 12.9]],
  ["extra", ["paper"], [5.3, 9.3]],
  ["ignored", ["paper"], [5.8, 5.7]],
  ["right", ["right-tint"], [4.7, 5.9]],
  ["wrong", ["wrong-tint"], [6.7, 4.8]],
  ["missing", ["missing-tint"], [12.3, 10.2]],
  ["extra", ["extra-tint"], [4.7, 6.9]],
  ["ignored", ["ignored-tint"], [5.1, 4.6]],
  ["ink", ["selected"], [14.6, 11.8]],
  ...[1, 2, 3, 4, 5, 6].map((number) => [`category-${number}`, ["paper", "selected"], [4.5, 4.5]]),
  ...OUTCOMES.map((outcome) => [outcome, ["selected"], [4.8, 4.6]]),
];

/** The smallest distance between two outcomes, light and dark. */
const DISTANCES = { normal: [12.5, 14.4], protan: [11.7, 12.1], deutan: [7.7, 11.4], tritan: [8.8, 12.4] };

const EYES = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

const times = (matrix, vector) => matrix.map((row) => row.reduce((sum, factor, at) => sum + factor * vector[at], 0));

/** Red, green and blue in linear light. */
function linear(hex) {
  const channels = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return channels.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
}

function contrast(one, other) {
  const luminance = (hex) => times([[0.2126, 0.7152, 0.0722]], linear(hex))[0];
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function lab(hex, eye) {
  const seen = times(EYES[eye], linear(hex)).map((c) => Math.min(Math.max(c, 0), 1));
  const cones = times([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566], [0.0883024619, 0.2817188376, 0.6299787005]], seen);
  return times([[0.2104542553, 0.793617785, -0.0040720468], [1.9779984951, -2.428592205, 0.4505937099], [0.0259040371, 0.7827717662, -0.808675766]], cones.map(Math.cbrt));
}

function distance(one, other, eye) {
  const [a, b] = [lab(one, eye), lab(other, eye)];
  return 100 * Math.hypot(...a.map((c, at) => c - b[at]));
}

const sheet = readFileSync(new URL("styles/tokens.css", import.meta.url), "utf8");
const tokens = new Map();
for (const [, name, ...pair] of sheet.matchAll(/--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)) tokens.set(name, pair);

const problems = [];
let checked = 0;
/** Figures of the table have one digit after the point. */
function atLeast(what, found, promised) {
  checked += 1;
  if (Math.round(found * 10) / 10 < promised) problems.push(`${what} is ${found.toFixed(2)}, not ${promised}`);
}

function colour(name, look) {
  const pair = tokens.get(name);
  if (!pair) throw new Error(`tokens.css has no colour --${name}`);
  return pair[look];
}

LOOKS.forEach((word, look) => {
  for (const [name, grounds, promised] of CONTRASTS) {
    for (const ground of grounds) atLeast(`${word}: contrast of ${name} on ${ground}`, contrast(colour(name, look), colour(ground, look)), promised[look]);
  }
  for (const [eye, promised] of Object.entries(DISTANCES)) {
    OUTCOMES.forEach((one, at) => {
      for (const other of OUTCOMES.slice(at + 1)) atLeast(`${word}: distance of ${one} and ${other} (${eye})`, distance(colour(one, look), colour(other, look), eye), promised[look]);
    });
  }
});
for (const problem of problems) console.error(problem);
console.log(`Checked ${checked} contrasts and distances of ${tokens.size} colours.`);
process.exitCode = problems.length > 0 ? 1 : 0;
