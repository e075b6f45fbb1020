//! Who comes to a campaign.

use super::Trouble;
use crate::access::{Act, Visitor};
use crate::campaigns::takes_from;
use crate::server::Shared;
use axum::http::{HeaderMap, StatusCode, header};
use karat::campaigns::CampaignSettings;
use karat::campaigns::platform::{Arrival, ArrivalError, Arrived, KnownBy, Platform, platforms};
use karat_store::{
    CampaignArrival, CampaignPerson, CampaignRow, EVERYTHING, ExternalId, Store, StoreError,
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Parameters of the address: those of the platform, and ours.
pub(crate) type Parameters = Vec<(String, String)>;

/// Ours are taken out of the address before it is looked at for who comes.
const OWN: [&str; 2] = ["part", "holding"];

/// The parameter that makes one person of those who share an open invitation.
const ME: &str = "me";

/// Somebody at a campaign.
pub(crate) struct Seat {
    pub(crate) campaign: CampaignRow,
    pub(crate) platform: &'static Platform,
    pub(crate) arrived: Arrived,
    /// Who it is; nobody in a preview.
    pub(crate) person: Option<CampaignPerson>,
    /// The address that leads back here.
    pub(crate) address: String,
    /// Whether the address is not yet the one that leads back.
    pub(crate) is_elsewhere: bool,
    /// Whether it is somebody who organises campaigns, and may look how this one goes.
    pub(crate) organises: bool,
}

impl Seat {
    /// The person of a seat that is no preview.
    pub(crate) fn person(&self) -> Result<&CampaignPerson, Trouble> {
        let title = "Only a preview";
        let why = "Accept the task first: nothing is stored from a preview.";
        self.person.as_ref().ok_or_else(|| Trouble::new(StatusCode::CONFLICT, title, why))
    }
}

pub(crate) fn store(shared: &Shared) -> Result<&Store, Trouble> {
    shared.store().ok_or_else(Trouble::missing)
}

/// Finds out who comes, and lets them in.
pub(crate) async fn arrive(
    shared: &Shared,
    visitor: &Visitor,
    headers: &HeaderMap,
    campaign: &str,
    given: &Parameters,
) -> Result<Seat, Trouble> {
    let store = store(shared)?;
    let campaign = store.campaign(campaign).await?;
    let given: Parameters =
        given.iter().filter(|(name, _)| !OWN.contains(&name.as_str())).cloned().collect();
    let parameter = |name: &str| given.iter().find(|(it, _)| it == name).map(|(_, it)| it.clone());
    let (platform, arrival) = arrival(&campaign, visitor, &parameter)?;
    let mut given = given.clone();
    let mut is_elsewhere = false;
    let (arrived, person) = match arrival {
        Arrival::Preview => (Arrived::default(), None),
        Arrival::Person(mut arrived) => {
            if platform.enter.by == KnownBy::Invitation {
                let known = parameter(ME);
                let (link, external) = invited(store, &arrived.worker, known.as_deref()).await?;
                if link != campaign.id {
                    return Err(Trouble::missing());
                }
                // An open invitation makes somebody of whoever comes first; from now on the address says who.
                if known.as_deref() != Some(external.as_str()) {
                    given.retain(|(name, _)| name != ME);
                    given.push((ME.to_owned(), external.clone()));
                    is_elsewhere = true;
                }
                arrived.worker = external;
            }
            let arrival = CampaignArrival {
                platform: platform.name.clone(),
                external: ExternalId {
                    worker: arrived.worker.clone(),
                    assignment: arrived.assignment.clone(),
                    study: arrived.study.clone(),
                    also: arrived.also.clone(),
                },
                person: visitor.person().map(|person| person.id.clone()),
                locale: language(headers),
                device: device(headers).to_owned(),
            };
            let person = store.enter_campaign(campaign.id, &arrival).await?;
            (arrived, Some(person))
        }
    };
    let address = address(&campaign.name, &given);
    let organises = visitor.may(Act::Organise, EVERYTHING);
    Ok(Seat { campaign, platform, arrived, person, address, is_elsewhere, organises })
}

async fn invited(
    store: &Store,
    secret: &str,
    known: Option<&str>,
) -> Result<(i64, String), Trouble> {
    let taken = store.take_campaign_link(secret, known).await;
    let (link, external) = taken.map_err(|error| match error {
        StoreError::NotFound { .. } => Trouble::new(
            StatusCode::NOT_FOUND,
            "This invitation has ended",
            "Ask whoever sent it to you for another one.",
        ),
        other => other.into(),
    })?;
    Ok((link.campaign, external))
}

/// The platform that somebody comes from, by what the address says.
fn arrival(
    campaign: &CampaignRow,
    visitor: &Visitor,
    parameter: &dyn Fn(&str) -> Option<String>,
) -> Result<(&'static Platform, Arrival), Trouble> {
    let mut refused = None;
    for one in doors(&campaign.settings) {
        match one.arrival(parameter) {
            Ok(arrival) => return Ok((one, arrival)),
            Err(ArrivalError::NeedsAccount) => {
                if let Some(worker) = account(visitor) {
                    let arrived = Arrived { worker, ..Arrived::default() };
                    return Ok((one, Arrival::Person(arrived)));
                }
                refused.get_or_insert(ArrivalError::NeedsAccount);
            }
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    let why = refused.map_or_else(|| "nobody is let in".to_owned(), |error| error.to_string());
    Err(Trouble::new(StatusCode::FORBIDDEN, "Who are you?", format!("{why}.")))
}

/// The platforms that a campaign takes people from, those that are named first.
fn doors(settings: &CampaignSettings) -> impl Iterator<Item = &'static Platform> {
    let (named, own): (Vec<_>, Vec<_>) = { platforms().iter() }
        .filter(|one| takes_from(settings, one))
        .partition(|one| settings.platforms.contains_key(&one.name));
    named.into_iter().chain(own)
}

/// Who it is that has an account, and may judge.
fn account(visitor: &Visitor) -> Option<String> {
    match visitor.person() {
        Some(person) if visitor.may_somewhere(Act::Judge) => Some(person.id.clone()),
        // Without accounts there is one person: whoever works at this machine.
        None if visitor.is_local() => Some("local".to_owned()),
        _ => None,
    }
}

/// The language that a browser asks for first.
fn language(headers: &HeaderMap) -> String {
    let asked = headers.get(header::ACCEPT_LANGUAGE).and_then(|it| it.to_str().ok());
    let first = asked.unwrap_or_default().split([',', ';']).next().unwrap_or_default().trim();
    if crate::components::text::is_language(first) { first.to_owned() } else { String::new() }
}

/// What kind of device it is. Nothing else is kept of what a browser says about itself.
fn device(headers: &HeaderMap) -> &'static str {
    let agent = headers.get(header::USER_AGENT).and_then(|it| it.to_str().ok()).unwrap_or_default();
    match agent {
        agent if agent.contains("iPad") || agent.contains("Tablet") => "tablet",
        agent if agent.contains("Mobi") => "phone",
        _ => "desktop",
    }
}

fn address(campaign: &str, given: &Parameters) -> String {
    let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let mut address = format!("/judge/{}", encoded(campaign));
    for (at, (name, value)) in given.iter().enumerate() {
        address.push(if at == 0 { '?' } else { '&' });
        address.push_str(&format!("{}={}", encoded(name), encoded(value)));
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use karat::campaigns::PlatformSettings;

    /// Anybody can write the parameters of a platform into an address: they count only where the organiser takes people from there.
    #[test]
    fn platforms_have_to_be_named_and_invitations_always_count() {
        let named = |settings: &CampaignSettings| -> Vec<String> {
            doors(settings).map(|one| one.name.clone()).collect()
        };
        let mut settings = CampaignSettings::default();
        let none = doors(&settings).any(|one| one.enter.by == KnownBy::Parameters);
        assert!(!none && !named(&settings).is_empty());
        let own = named(&settings);
        settings.platforms.insert("prolific".to_owned(), PlatformSettings::default());
        let all = named(&settings);
        assert_eq!((all[0].as_str(), &all[1..]), ("prolific", own.as_slice()));
    }

    #[test]
    fn addresses_lead_back_and_devices_have_three_kinds() {
        let given = vec![("PROLIFIC_PID".to_owned(), "a&b".to_owned())];
        assert_eq!(address("spring", &given), "/judge/spring?PROLIFIC%5FPID=a%26b");
        let mut headers = HeaderMap::new();
        assert_eq!((device(&headers), language(&headers).as_str()), ("desktop", ""));
        let phone = HeaderValue::from_static("Mozilla/5.0 (Linux; Android 14) Mobile Safari");
        headers.insert(header::USER_AGENT, phone);
        headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_static("de-AT,de;q=0.9"));
        assert_eq!((device(&headers), language(&headers).as_str()), ("phone", "de-AT"));
    }
}
