//! Memory as the machine has it: pages that cost time when they are first written to, and
//! lines that cost time when they are far away.

/// Arrays smaller than this are left to the allocator: they are few pages anyway.
const LARGE: usize = 4 << 20;

/// Makes room for so many more items. Memory costs time when it is first written to,
/// page by page; so large arrays ask for huge pages, which are five hundred times fewer.
pub(crate) fn reserve<T>(array: &mut Vec<T>, more: usize) {
    let before = array.capacity();
    array.reserve(more);
    if array.capacity() > before && array.capacity() * size_of::<T>() >= LARGE {
        ask_for_huge_pages(array);
    }
}

/// As [`reserve`], for text.
pub(crate) fn reserve_text(text: &mut String, more: usize) {
    let mut bytes = std::mem::take(text).into_bytes();
    reserve(&mut bytes, more);
    // `reserve` only moves the bytes, so they are still valid UTF-8.
    *text = String::from_utf8(bytes).unwrap_or_default();
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn ask_for_huge_pages<T>(array: &mut Vec<T>) {
    const PAGE: usize = 4 << 10;
    let array_start = array.as_mut_ptr().cast::<u8>();
    let array_end = array_start.addr() + array.capacity() * size_of::<T>();
    // With the pages that the array shares with what is before and behind it: the system keeps
    // memory under different advice apart, and then cannot enlarge it without copying all of it.
    let start = array_start.map_addr(|address| address / PAGE * PAGE);
    let length = array_end.next_multiple_of(PAGE) - start.addr();
    // SAFETY: the advice changes neither what is written to these pages nor who may read or write
    // them, also not for whoever shares the first and the last of them with the array; a kernel
    // that cannot follow it answers with an error that does not matter.
    unsafe { libc::madvise(start.cast(), length, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages<T>(_: &mut Vec<T>) {}

/// Asks for what lies here to be brought near, and does not wait for it.
#[inline]
pub(crate) fn fetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    // SAFETY: the instruction is on every processor of this kind, reads nothing that the program
    // can see, and never fails, wherever it points.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_stays_and_there_is_room() {
        let mut array: Vec<u64> = (0..1000).collect();
        for more in [10, LARGE / 8, 3 * LARGE] {
            reserve(&mut array, more);
            assert!(array.capacity() >= 1000 + more);
            assert!(array.iter().copied().eq(0..1000));
            array.resize(1000 + more, 7);
            assert!(array[1000..].iter().all(|&item| item == 7));
            array.truncate(1000);
        }
        let mut text = "Käse".to_owned();
        reserve_text(&mut text, 2 * LARGE);
        assert_eq!((text.as_str(), text.capacity() > 2 * LARGE), ("Käse", true));
    }
}
