//! Room for large arrays.

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
    // What was a text still is one.
    *text = String::from_utf8(bytes).unwrap_or_default();
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn ask_for_huge_pages<T>(array: &mut Vec<T>) {
    const PAGE: usize = 4 << 10;
    let bytes = array.capacity() * size_of::<T>();
    let start = array.as_mut_ptr().cast::<u8>();
    // Whole pages only: the first may begin before the array, the last end after it.
    let skipped = start.align_offset(PAGE);
    let length = bytes.saturating_sub(skipped) / PAGE * PAGE;
    // SAFETY: these pages lie within the memory of the array, which nobody else looks at
    // meanwhile. The advice changes neither what is written there nor who may read or write
    // it, and a kernel that cannot follow it answers with an error that does not matter.
    unsafe { libc::madvise(start.wrapping_add(skipped).cast(), length, libc::MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages<T>(_: &mut Vec<T>) {}

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
