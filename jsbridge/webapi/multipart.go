package webapi

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io"
	"strings"
)

// mimeType is a media type taken apart: the essence in lower case, parameters
// in order.
type mimeType struct {
	essence string
	params  [][2]string
}

func (m mimeType) param(name string) (string, bool) {
	for _, p := range m.params {
		if p[0] == name {
			return p[1], true
		}
	}
	return "", false
}

// parseMIME parses a Content-Type value
// (https://mimesniff.spec.whatwg.org/#parse-a-mime-type). ok is false if there
// is no type/subtype.
func parseMIME(s string) (m mimeType, ok bool) {
	essence, rest, more := strings.Cut(s, ";")
	m.essence = strings.ToLower(strings.TrimSpace(essence))
	typ, sub, slash := strings.Cut(m.essence, "/")
	if !slash || !isToken(typ) || !isToken(sub) {
		return mimeType{}, false
	}
	for more {
		var name, value string
		name, value, rest, more = cutParam(rest)
		if _, dup := m.param(name); isToken(name) && !dup {
			m.params = append(m.params, [2]string{name, value})
		}
	}
	return m, true
}

// cutParam takes one "name=value" off the front of a parameter list. The value
// may be a quoted string, in which a backslash protects the next character.
func cutParam(s string) (name, value, rest string, more bool) {
	i := strings.IndexAny(s, ";=")
	if i < 0 {
		return "", "", "", false
	}
	name = strings.ToLower(strings.TrimSpace(s[:i]))
	if s[i] == ';' {
		return "", "", s[i+1:], true
	}
	s = s[i+1:]
	if !strings.HasPrefix(s, `"`) {
		value, rest, more = strings.Cut(s, ";")
		return name, strings.TrimSpace(value), rest, more
	}
	var b strings.Builder
	i = 1
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	_, rest, more = strings.Cut(s[min(i, len(s)):], ";")
	return name, b.String(), rest, more
}

func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"(),/:;<=>?@[\\]{}", c) >= 0 {
			return false
		}
	}
	return s != ""
}

// normalizeMIME writes a media type the way body.blob() reports it.
func normalizeMIME(s string) string {
	m, ok := parseMIME(s)
	if !ok {
		return ""
	}
	var b strings.Builder
	b.WriteString(m.essence)
	for _, p := range m.params {
		b.WriteString(";" + p[0] + "=")
		if isToken(p[1]) {
			b.WriteString(p[1])
		} else {
			b.WriteString(`"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p[1]) + `"`)
		}
	}
	return b.String()
}

var formNameEscaper = strings.NewReplacer(`"`, "%22", "\n", "%0A", "\r", "%0D")

// encodeMultipart writes the form as multipart/form-data (RFC 7578) with a
// random boundary.
func (a *API) encodeMultipart(f *formData) (data []byte, contentType string) {
	var raw [16]byte
	if _, err := io.ReadFull(a.env.Random, raw[:]); err != nil {
		a.throw(a.newError("Error", "the random source failed: "+err.Error()))
	}
	boundary := hex.EncodeToString(raw[:])
	var b bytes.Buffer
	for i := range f.entries {
		e := &f.entries[i]
		b.WriteString("--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + formNameEscaper.Replace(e.name) + `"`)
		if e.file == nil {
			b.WriteString("\r\n\r\n" + e.value)
		} else {
			file, _ := lookup[*blob](a, e.file)
			typ := file.typ
			if typ == "" {
				typ = "application/octet-stream"
			}
			b.WriteString("; filename=\"" + formNameEscaper.Replace(file.file.name) + "\"\r\nContent-Type: " + typ + "\r\n\r\n")
			b.Write(file.data)
		}
		b.WriteString("\r\n")
	}
	b.WriteString("--" + boundary + "--")
	return b.Bytes(), "multipart/form-data; boundary=" + boundary
}

// parseFormData parses a body by its Content-Type.
func (a *API) parseFormData(data []byte, contentType string) *formData {
	f := &formData{}
	m, _ := parseMIME(contentType)
	switch m.essence {
	case "application/x-www-form-urlencoded":
		for _, p := range parseQuery(decodeUTF8(data)) {
			f.entries = append(f.entries, formEntry{name: scrubUTF8([]byte(p.name)), value: scrubUTF8([]byte(p.value))})
		}
	case "multipart/form-data":
		boundary, ok := m.param("boundary")
		if !ok {
			a.throwTypeError(`No boundary string in Content-Type header. The multipart/form-data MIME type requires a boundary parameter, e.g. 'Content-Type: multipart/form-data; boundary="abcd"'. See RFC 7578, section 4.`)
		}
		parts, err := parseMultipart(data, boundary)
		if err != nil {
			a.throwTypeError(err.Error())
		}
		for _, p := range parts {
			e := formEntry{name: p.name}
			if p.isFile {
				e.file = a.instance(classFile, &blob{data: p.data, typ: p.typ,
					file: &fileInfo{name: p.filename, lastModified: float64(a.env.Now().UnixMilli())}})
			} else {
				e.value = scrubUTF8(p.data)
			}
			f.entries = append(f.entries, e)
		}
	default:
		a.throwTypeError("Unrecognized Content-Type header value. FormData can only parse the following MIME types: multipart/form-data, application/x-www-form-urlencoded")
	}
	return f
}

// formPart is one part of a multipart message.
type formPart struct {
	name, filename, typ string
	isFile              bool
	data                []byte
}

var (
	errNoInitialBoundary = errors.New("No initial boundary string (or you have a truncated message).")
	errNoNextBoundary    = errors.New("No subsequent boundary string after multipart message.")
	errNoDisposition     = errors.New("No Content-Disposition header in FormData part.")
	errNoName            = errors.New("Content-Disposition header in FormData part is missing a name.")
	errNoPartBody        = errors.New("No body in FormData part.")
)

// parseMultipart takes a multipart/form-data body apart. It accepts bare line
// feeds as line ends and ignores what is before the first and after the last
// boundary, as workerd does. The parts alias data.
func parseMultipart(data []byte, boundary string) ([]formPart, error) {
	delimiter := []byte("--" + boundary)
	rest := data
	if !bytes.HasPrefix(rest, delimiter) {
		i := bytes.Index(rest, append([]byte("\n"), delimiter...))
		if i < 0 {
			return nil, errNoInitialBoundary
		}
		rest = rest[i+1:]
	}
	rest = rest[len(delimiter):]
	var parts []formPart
	for !bytes.HasPrefix(rest, []byte("--")) {
		end := bytes.Index(rest, append([]byte("\n"), delimiter...))
		if end < 0 {
			return nil, errNoNextBoundary
		}
		p, err := parsePart(rest[:end])
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
		rest = rest[end+1+len(delimiter):]
	}
	return parts, nil
}

// parsePart parses what stands between two boundaries, without the line feed
// before the second.
func parsePart(b []byte) (formPart, error) {
	var p formPart
	// The remains of the boundary's own line.
	_, b, _ = bytes.Cut(b, []byte("\n"))
	disposition := false
	for {
		line, rest, ok := bytes.Cut(b, []byte("\n"))
		if !ok {
			return p, errNoPartBody
		}
		b = rest
		text := strings.TrimSuffix(string(line), "\r")
		if text == "" {
			break
		}
		name, value, _ := strings.Cut(text, ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "content-disposition":
			disposition = true
			if err := p.disposition(value); err != nil {
				return p, err
			}
		case "content-type":
			p.typ = value
		}
	}
	if !disposition {
		return p, errNoDisposition
	}
	p.data = bytes.TrimSuffix(b, []byte("\r"))
	return p, nil
}

// disposition reads name and filename. workerd takes only quoted ones.
func (p *formPart) disposition(value string) error {
	hasName := false
	_, rest, more := strings.Cut(value, ";")
	for more {
		quoted := strings.HasPrefix(strings.TrimSpace(afterEquals(rest)), `"`)
		var name, v string
		name, v, rest, more = cutParam(rest)
		if !quoted {
			continue
		}
		switch name {
		case "name":
			p.name, hasName = v, true
		case "filename":
			p.filename, p.isFile = v, true
		}
	}
	if !hasName {
		return errNoName
	}
	return nil
}

func afterEquals(s string) string {
	_, v, _ := strings.Cut(s, "=")
	return v
}
