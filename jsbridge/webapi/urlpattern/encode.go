package urlpattern

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// The encoders bring text of a pattern, and of an input that is given in parts,
// into the form that it has in a parsed URL
// (https://urlpattern.spec.whatwg.org/#canon-encoding-callbacks).

var urls = whatwg.NewParser(
	whatwg.WithPathPercentEncodeSet(whatwg.PathPercentEncodeSet.Set('^')),
)

func encodeProtocol(v string) (string, error) {
	if v == "" {
		return "", nil
	}
	for i, c := range []byte(v) {
		if letter := c|0x20 >= 'a' && c|0x20 <= 'z'; !letter && (i == 0 || !isDigit(c) && c != '+' && c != '-' && c != '.') {
			return "", errSyntax
		}
	}
	return strings.ToLower(v), nil
}

const (
	fragmentSet = " \"<>`"
	querySet    = " \"#<>"
	userinfoSet = " \"#<>?^`{}/:;=@[\\]|"
)

// percent encodes what is not ASCII, control characters and those of set.
func percent(v, set string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(v) {
		if c < 0x20 || c > 0x7e || strings.IndexByte(set, c) >= 0 {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// noBreaks takes out what a URL parser removes from its input.
var noBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

func encodeUserinfo(v string) (string, error) { return percent(v, userinfoSet), nil }
func encodeSearch(v string) (string, error) {
	return percent(noBreaks.Replace(v), querySet), nil
}
func encodeHash(v string) (string, error) {
	return percent(noBreaks.Replace(v), fragmentSet), nil
}

func encodeHostname(v string) (string, error) { return hostname(v, "https://") }

// encodeOpaqueHost is for protocols whose hosts are no domains.
func encodeOpaqueHost(v string) (string, error) { return hostname(v, "x-any://") }

func hostname(v, scheme string) (string, error) {
	v = noBreaks.Replace(v)
	if i := strings.IndexAny(v, "/?#\\"); i >= 0 {
		v = v[:i]
	}
	if v == "" {
		return "", nil
	}
	if strings.ContainsAny(v, "@") || strings.Contains(v, ":") && v[0] != '[' {
		return "", errSyntax
	}
	u, err := urls.Parse(scheme + v + "/")
	if err != nil {
		return "", errSyntax
	}
	return u.Hostname(), nil
}

// encodeIPv6 is for a pattern that begins with a bracket: it may be a part of
// an address only.
func encodeIPv6(v string) (string, error) {
	for _, c := range []byte(v) {
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') && c != '[' && c != ']' && c != ':' {
			return "", errSyntax
		}
	}
	return strings.ToLower(v), nil
}

// encodePort takes the digits at the beginning. defaultPort is written as "".
func encodePort(v, defaultPort string) (string, error) {
	v = noBreaks.Replace(v)
	if v == "" {
		return "", nil
	}
	port, digits := 0, 0
	for digits < len(v) && isDigit(v[digits]) {
		if port = port*10 + int(v[digits]-'0'); port > 0xffff {
			return "", errSyntax
		}
		digits++
	}
	if digits == 0 {
		return "", errSyntax
	}
	u, err := urls.Parse("x-any://h:" + v[:digits] + "/")
	if err != nil {
		return "", errSyntax
	}
	if p := u.Port(); p != defaultPort {
		return p, nil
	}
	return "", nil
}

func encodePathname(v string) (string, error) {
	if v == "" {
		return "", nil
	}
	u, err := urls.Parse("https://dummy.invalid/")
	if err != nil {
		return "", err
	}
	if v[0] == '/' {
		u.SetPathname(v)
		return u.Pathname(), nil
	}
	// The beginning of the path stands in for what comes before this text.
	u.SetPathname("/-" + v)
	if path := u.Pathname(); len(path) > 2 {
		return path[2:], nil
	}
	return "", nil
}

func encodeOpaquePathname(v string) (string, error) {
	if v == "" {
		return "", nil
	}
	u, err := urls.Parse("x-any:" + v)
	if err != nil {
		return "", errSyntax
	}
	return u.Pathname(), nil
}
