package telegram

// Functions for bytes of the standard library are written in assembler, or may panic: here are those that the cycle needs.

// behind returns the text from a place on, nothing when the place is beyond it.
func behind(text []byte, at int) []byte {
	if uint(at) > uint(len(text)) {
		return nil
	}
	return text[at:]
}

// begins reports whether a text begins with a word.
func begins(text []byte, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		if i >= len(text) || text[i] != word[i] {
			return false
		}
	}
	return true
}

// is reports whether a text is a word.
func is(text []byte, word string) bool { return len(text) == len(word) && begins(text, word) }

// same reports whether two texts are the same.
func same(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return false
		}
	}
	return true
}
