package urlpattern

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// Field is a component of a URL, or the base of one that is given in parts.
type Field int

// The fields in the order in which URLPatternInit has them.
const (
	Protocol Field = iota
	Username
	Password
	Hostname
	Port
	Pathname
	Search
	Hash
	BaseURL
	numFields
)

// Fields are the names of the fields.
var Fields = [numFields]string{"protocol", "username", "password", "hostname", "port", "pathname", "search", "hash", "baseURL"}

// NumComponents is how many of the fields are components.
const NumComponents = int(BaseURL)

// Init is a URL, or a pattern, in parts. A nil field is not given.
type Init [numFields]*string

func (i *Init) has(f Field) bool       { return i[f] != nil }
func (i *Init) set(f Field, v string)  { i[f] = &v }
func (i *Init) get(f Field) (v string) { return *i[f] }

// lacks tells whether none of the fields is given.
func (i *Init) lacks(fields ...Field) bool {
	for _, f := range fields {
		if i[f] != nil {
			return false
		}
	}
	return true
}

// defaultPorts are the special schemes (https://url.spec.whatwg.org/#special-scheme).
var defaultPorts = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21", "file": ""}

func matchesSpecial(c *Component) bool {
	for scheme := range defaultPorts {
		if _, ok := c.Match(scheme); ok {
			return true
		}
	}
	return false
}

// Pattern is a compiled pattern for URLs.
type Pattern struct {
	components [NumComponents]*Component
}

// ParseString makes a pattern of a text such as "https://*.example.com/:page".
// base is the URL that a relative one is relative to, nil if there is none.
func ParseString(text string, base *string, ignoreCase bool, engine Engine) (*Pattern, error) {
	init, err := parseString(text, engine)
	if err != nil {
		return nil, err
	}
	if base == nil && !init.has(Protocol) {
		return nil, errSyntax
	}
	init[BaseURL] = base
	return New(init, ignoreCase, engine)
}

// New makes a pattern of its parts. A part that is not given matches everything.
func New(init Init, ignoreCase bool, engine Engine) (*Pattern, error) {
	in, err := process(init, true)
	if err != nil {
		return nil, err
	}
	for f := range NumComponents {
		if in[f] == nil {
			in.set(Field(f), "*")
		}
	}
	if port, ok := defaultPorts[in.get(Protocol)]; ok && port != "" && in.get(Port) == port {
		in.set(Port, "")
	}
	p := &Pattern{}
	fold := func(s syntax) syntax {
		s.ignoreCase = ignoreCase
		return s
	}
	add := func(f Field, s syntax, encode func(string) (string, error)) {
		if err == nil {
			p.components[f], err = compile(in.get(f), s, encode, engine)
		}
	}
	add(Protocol, plainSyntax, encodeProtocol)
	if err != nil {
		return nil, err
	}
	special := matchesSpecial(p.components[Protocol])
	add(Username, plainSyntax, encodeUserinfo)
	add(Password, plainSyntax, encodeUserinfo)
	switch h := in.get(Hostname); {
	case isIPv6(h):
		add(Hostname, hostSyntax, encodeIPv6)
	case special:
		add(Hostname, hostSyntax, encodeHostname)
	default:
		add(Hostname, hostSyntax, encodeOpaqueHost)
	}
	add(Port, plainSyntax, func(v string) (string, error) { return encodePort(v, "") })
	if special {
		add(Pathname, fold(pathSyntax), encodePathname)
	} else {
		add(Pathname, fold(plainSyntax), encodeOpaquePathname)
	}
	add(Search, fold(plainSyntax), encodeSearch)
	add(Hash, fold(plainSyntax), encodeHash)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func isIPv6(host string) bool {
	return len(host) >= 2 && (host[0] == '[' || (host[0] == '{' || host[0] == '\\') && host[1] == '[')
}

// Component returns the pattern of a component.
func (p *Pattern) Component(f Field) *Component { return p.components[f] }

// HasRegExpGroups tells whether the pattern has regular expressions of its own.
func (p *Pattern) HasRegExpGroups() bool {
	for _, c := range p.components {
		if c.exprs {
			return true
		}
	}
	return false
}

// Result is what one component matched.
type Result struct {
	Input  string
	Groups []*string // by position; nil for a group that took no part
}

// MatchInit matches a URL in parts. What is no URL matches nothing.
func (p *Pattern) MatchInit(init Init) (*[NumComponents]Result, bool) {
	in, err := process(init, false)
	if err != nil {
		return nil, false
	}
	var inputs [NumComponents]string
	for f := range inputs {
		if in[f] != nil {
			inputs[f] = *in[f]
		}
	}
	return p.match(inputs)
}

// MatchString matches a URL. What is no URL matches nothing.
func (p *Pattern) MatchString(raw string, base *string) (*[NumComponents]Result, bool) {
	var u *whatwg.Url
	var err error
	if base == nil {
		u, err = urls.Parse(raw)
	} else {
		u, err = urls.ParseRef(*base, raw)
	}
	if err != nil {
		return nil, false
	}
	return p.match(componentsOf(u))
}

func componentsOf(u *whatwg.Url) [NumComponents]string {
	return [NumComponents]string{
		Protocol: u.Scheme(), Username: u.Username(), Password: u.Password(), Hostname: u.Hostname(), Port: u.Port(),
		Pathname: u.Pathname(), Search: strings.TrimPrefix(u.Search(), "?"), Hash: strings.TrimPrefix(u.Hash(), "#"),
	}
}

func (p *Pattern) match(inputs [NumComponents]string) (*[NumComponents]Result, bool) {
	var out [NumComponents]Result
	for f, in := range inputs {
		groups, ok := p.components[f].Match(in)
		if !ok {
			return nil, false
		}
		out[f] = Result{in, groups}
	}
	return &out, true
}

// process fills in what the base gives and brings the fields into the form of a
// parsed URL; those of a pattern stay as they are, they are encoded part by part
// (https://urlpattern.spec.whatwg.org/#process-a-urlpatterninit).
func process(init Init, pattern bool) (out Init, err error) {
	var base *whatwg.Url
	if init.has(BaseURL) {
		if base, err = urls.Parse(init.get(BaseURL)); err != nil {
			return out, errSyntax
		}
		inherit(&out, &init, base, pattern)
	}
	encode := func(f Field, v string, e func(string) (string, error)) {
		if !pattern && err == nil {
			v, err = e(v)
		}
		out.set(f, v)
	}
	given := func(f Field) bool { return init.has(f) }
	if given(Protocol) {
		encode(Protocol, strings.TrimSuffix(init.get(Protocol), ":"), encodeProtocol)
	}
	scheme := ""
	if out.has(Protocol) {
		scheme = out.get(Protocol)
	}
	_, special := defaultPorts[scheme]
	special = special || scheme == ""
	if given(Username) {
		encode(Username, init.get(Username), encodeUserinfo)
	}
	if given(Password) {
		encode(Password, init.get(Password), encodeUserinfo)
	}
	if given(Hostname) {
		if special {
			encode(Hostname, init.get(Hostname), encodeHostname)
		} else {
			encode(Hostname, init.get(Hostname), encodeOpaqueHost)
		}
	}
	if given(Port) {
		encode(Port, init.get(Port), func(v string) (string, error) { return encodePort(v, defaultPorts[scheme]) })
	}
	if given(Pathname) {
		path := init.get(Pathname)
		if base != nil && !base.OpaquePath() && !isAbsolute(path, pattern) {
			dir := baseText(base.Pathname(), pattern)
			if i := strings.LastIndexByte(dir, '/'); i >= 0 {
				path = dir[:i+1] + path
			}
		}
		if special {
			encode(Pathname, path, encodePathname)
		} else {
			encode(Pathname, path, encodeOpaquePathname)
		}
	}
	if given(Search) {
		encode(Search, strings.TrimPrefix(init.get(Search), "?"), encodeSearch)
	}
	if given(Hash) {
		encode(Hash, strings.TrimPrefix(init.get(Hash), "#"), encodeHash)
	}
	return out, err
}

// inherit takes from the base what no earlier component of init replaces.
func inherit(out, init *Init, base *whatwg.Url, pattern bool) {
	from := componentsOf(base)
	take := func(f Field, unless ...Field) {
		if init.lacks(unless...) {
			out.set(f, baseText(from[f], pattern))
		}
	}
	take(Protocol, Protocol)
	if !pattern {
		take(Username, Protocol, Hostname, Port, Username)
		take(Password, Protocol, Hostname, Port, Username, Password)
	}
	take(Hostname, Protocol, Hostname)
	take(Port, Protocol, Hostname, Port)
	take(Pathname, Protocol, Hostname, Port, Pathname)
	take(Search, Protocol, Hostname, Port, Pathname, Search)
	take(Hash, Protocol, Hostname, Port, Pathname, Search, Hash)
}

func baseText(v string, pattern bool) string {
	if pattern {
		return escapePattern(v)
	}
	return v
}

func isAbsolute(path string, pattern bool) bool {
	return strings.HasPrefix(path, "/") || pattern && (strings.HasPrefix(path, `\/`) || strings.HasPrefix(path, "{/"))
}
