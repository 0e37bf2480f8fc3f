package urlpattern

// state says which component the parser of a constructor string is in.
type state int

const (
	stateInit state = iota
	stateProtocol
	stateAuthority
	stateUsername
	statePassword
	stateHostname
	statePort
	statePathname
	stateSearch
	stateHash
	stateDone
)

// fieldOf says which field of an Init a state fills.
var fieldOf = map[state]Field{
	stateProtocol: Protocol, stateUsername: Username, statePassword: Password, stateHostname: Hostname,
	statePort: Port, statePathname: Pathname, stateSearch: Search, stateHash: Hash,
}

// stringParser splits a pattern for a whole URL into components
// (https://urlpattern.spec.whatwg.org/#parse-a-constructor-string).
type stringParser struct {
	input            []rune
	tokens           []token
	result           Init
	state            state
	start, at, step  int
	groups, brackets int
	special          bool
	engine           Engine
}

func parseString(input string, engine Engine) (Init, error) {
	p := &stringParser{input: []rune(input), engine: engine}
	p.tokens, _ = tokenize(p.input, true)
	for p.at < len(p.tokens) {
		p.step = 1
		t := p.tokens[p.at]
		if t.kind == tokEnd {
			if p.atEnd() {
				break
			}
			p.at += p.step
			continue
		}
		switch {
		case t.kind == tokOpen:
			p.groups++
			p.at++
			continue
		case p.groups > 0 && t.kind != tokClose:
			p.at++
			continue
		case p.groups > 0:
			p.groups--
		}
		if err := p.token(); err != nil {
			return Init{}, err
		}
		p.at += p.step
	}
	if p.result.has(Hostname) && !p.result.has(Port) {
		p.result.set(Port, "")
	}
	return p.result, nil
}

// atEnd handles the last token; done means that there is nothing to read again.
func (p *stringParser) atEnd() (done bool) {
	switch {
	case p.state == stateInit:
		p.rewind()
		switch {
		case p.plain(p.at, "#"):
			p.change(stateHash, 1)
		case p.searchPrefix():
			p.change(stateSearch, 1)
		default:
			p.change(statePathname, 0)
		}
		return false
	case p.state == stateAuthority:
		p.rewind()
		p.state = stateHostname
		return false
	}
	p.change(stateDone, 0)
	return true
}

// token moves on by one token that is in no group.
func (p *stringParser) token() error {
	switch p.state {
	case stateInit:
		if p.plain(p.at, ":") {
			p.rewind()
			p.state = stateProtocol
		}
	case stateProtocol:
		if !p.plain(p.at, ":") {
			return nil
		}
		c, err := compile(p.component(), plainSyntax, encodeProtocol, p.engine)
		if err != nil {
			return err
		}
		p.special = matchesSpecial(c)
		next, skip := statePathname, 1
		if p.plain(p.at+1, "/") && p.plain(p.at+2, "/") {
			next, skip = stateAuthority, 3
		} else if p.special {
			next = stateAuthority
		}
		p.change(next, skip)
	case stateAuthority:
		if p.plain(p.at, "@") {
			p.rewind()
			p.state = stateUsername
		} else if p.plain(p.at, "/") || p.searchPrefix() || p.plain(p.at, "#") {
			p.rewind()
			p.state = stateHostname
		}
	case stateUsername:
		if p.plain(p.at, ":") {
			p.change(statePassword, 1)
		} else if p.plain(p.at, "@") {
			p.change(stateHostname, 1)
		}
	case statePassword:
		if p.plain(p.at, "@") {
			p.change(stateHostname, 1)
		}
	case stateHostname:
		switch {
		case p.plain(p.at, "["):
			p.brackets++
		case p.plain(p.at, "]"):
			p.brackets--
		case p.plain(p.at, ":") && p.brackets == 0:
			p.change(statePort, 1)
		default:
			p.afterHost()
		}
	case statePort:
		p.afterHost()
	case statePathname:
		if p.searchPrefix() {
			p.change(stateSearch, 1)
		} else if p.plain(p.at, "#") {
			p.change(stateHash, 1)
		}
	case stateSearch:
		if p.plain(p.at, "#") {
			p.change(stateHash, 1)
		}
	}
	return nil
}

func (p *stringParser) afterHost() {
	switch {
	case p.plain(p.at, "/"):
		p.change(statePathname, 0)
	case p.searchPrefix():
		p.change(stateSearch, 1)
	case p.plain(p.at, "#"):
		p.change(stateHash, 1)
	}
}

func (p *stringParser) rewind() { p.at, p.step = p.start, 0 }

// change ends a component and begins another; components that were jumped over
// are empty.
func (p *stringParser) change(next state, skip int) {
	if f, ok := fieldOf[p.state]; ok {
		p.result.set(f, p.component())
	}
	if p.state != stateInit && next != stateDone {
		empty := func(f Field, v string) {
			if !p.result.has(f) {
				p.result.set(f, v)
			}
		}
		if p.state <= statePassword && next >= statePort {
			empty(Hostname, "")
		}
		if p.state <= statePort && next >= stateSearch {
			if p.special {
				empty(Pathname, "/")
			} else {
				empty(Pathname, "")
			}
		}
		if p.state <= statePathname && next == stateHash {
			empty(Search, "")
		}
	}
	p.state = next
	p.at += skip
	p.start, p.step = p.at, 0
}

// component is the text from the start of the component to here.
func (p *stringParser) component() string {
	return string(p.input[p.safe(p.start).index:p.tokens[p.at].index])
}

func (p *stringParser) safe(i int) token {
	if i < len(p.tokens) {
		return p.tokens[i]
	}
	return p.tokens[len(p.tokens)-1]
}

// plain tells whether the token is this character, without a meaning of its own.
func (p *stringParser) plain(i int, char string) bool {
	t := p.safe(i)
	return t.value == char && (t.kind == tokChar || t.kind == tokEscaped || t.kind == tokInvalid)
}

// searchPrefix tells whether a question mark begins the search, or modifies
// what stands before it.
func (p *stringParser) searchPrefix() bool {
	if p.plain(p.at, "?") {
		return true
	}
	if p.safe(p.at).value != "?" {
		return false
	}
	if p.at == 0 {
		return true
	}
	switch p.safe(p.at - 1).kind {
	case tokName, tokRegexp, tokClose, tokAsterisk:
		return false
	}
	return true
}
