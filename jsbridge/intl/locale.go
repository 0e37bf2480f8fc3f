package intl

import (
	"strings"

	"golang.org/x/text/language"
)

// canonicalLocale checks and canonicalizes a language tag.
func canonicalLocale(tag string) (string, bool) {
	if tag == "" || strings.Contains(tag, "_") || !wellFormed(tag) {
		return "", false
	}
	t, err := language.All.Parse(tag)
	if err != nil {
		if _, unknown := err.(language.ValueError); !unknown {
			return "", false
		}
		// A subtag that nobody has registered is allowed.
		if t.IsRoot() {
			return strings.ToLower(tag), true
		}
	}
	return t.String(), true
}

// wellFormed checks what the parser is generous about: a language of 2, 3 or 5
// to 8 letters, and subtags of 1 to 8 letters and digits, with no second region.
func wellFormed(tag string) bool {
	subtags := strings.Split(tag, "-")
	lang := strings.ToLower(subtags[0])
	if n := len(lang); n < 2 || n == 4 || n > 8 || strings.Trim(lang, "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	regions := 0
	for _, s := range subtags[1:] {
		if s == "" || len(s) > 8 || strings.Trim(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
		if len(s) == 1 {
			return true // extensions have rules of their own
		}
		digit := s[0] >= '0' && s[0] <= '9'
		switch {
		case len(s) == 2, len(s) == 3 && digit:
			if regions++; regions > 1 {
				return false
			}
		case len(s) == 3:
			return false
		}
	}
	return true
}

// supported returns what of a canonical tag this package has: "en-US", "en", or
// "" for any other language or country.
func supported(tag string) string {
	base, _, _ := strings.Cut(tag, "-u-")
	switch base {
	case "en", "en-US", "en-Latn", "en-Latn-US":
		return base
	}
	return ""
}
