package webapi

// ResolveURL parses a URL, relative to base unless that is "", and returns it as
// the WHATWG URL parser serialises it (https://url.spec.whatwg.org/#url-parsing);
// ok is false when it is not valid.
func ResolveURL(raw, base string) (href string, ok bool) {
	u, ok := parseURL(raw, base)
	if !ok {
		return "", false
	}
	return u.Href(false), true
}
