// Package spelling finds the word that somebody may have meant, and the form of a noun that a number takes.
package spelling

import (
	"fmt"
	"strings"
)

// Count writes a number of things: 1 packet, 2 packets. The forms may hold a verb.
func Count[N ~int | ~int64](n N, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Nearest returns the word of a list that takes the fewest edits to get from s; the first of
// several.
func Nearest(s string, words []string) string {
	best, least := "", int(^uint(0)>>1)
	for _, w := range words {
		if d := Distance(s, w); d < least {
			best, least = w, d
		}
	}
	return best
}

// Suggest ends a message about an unknown word: the nearest known one, if that is near, and all of them.
func Suggest(word string, known []string) string {
	if len(known) == 0 {
		return "; there is none"
	}
	list := strings.Join(known, ", ")
	near := Nearest(word, known)
	if !Near(word, near) {
		return "; known: " + list
	}
	return fmt.Sprintf("; did you mean %q? known: %s", near, list)
}

// Near reports whether somebody who wrote a word may have meant a known one.
func Near(word, known string) bool { return Distance(word, known) <= len(word)/2 }

// Distance is the number of bytes to insert, delete or replace, or of neighbours to swap, to get from a to b, whatever
// their case (Damerau and Levenshtein, without edits inside a swap).
func Distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
