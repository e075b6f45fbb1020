//! Abbreviations of English that do not end a sentence.

/// In lower case and without their last period.
pub(super) const ABBREVIATIONS: &str = "
    mr mrs ms messrs dr prof rev hon st sr jr gen col lt capt cmdr maj sgt cpl pvt adm gov sen rep pres supt insp
    vs v etc i.e e.g cf viz al approx ca est fig figs vol vols ed eds pp para sec ch art nr no nos op
    inc ltd corp co bros plc llc dept univ assn intl
    jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun
    u.s u.k u.n u.s.a u.s.s.r e.u a.m p.m b.c a.d d.c l.a n.y ph.d m.d b.a m.a
    ave blvd rd hwy ft mt apt
    ala ariz ark calif colo conn del fla ga ill ind kan ky la md mass mich minn miss mo mont neb nev okla ore pa
    tenn tex va vt wash wis wyo ont que
    oz lb lbs kg km cm mm mph sq min hr hrs
";
