package webapi

import (
	"crypto"
	"hash"
	"strconv"
	"strings"

	"github.com/dop251/goja"
)

// params is an algorithm argument of crypto.subtle.
type params struct {
	a    *API
	o    *goja.Object // nil if the argument was a name
	name string
	dict string // what workerd calls the dictionary
	// where is the name that errors about missing members use.
	where string
}

// params converts argument i, a name or a dictionary.
func (a *API) params(args []goja.Value, i int, method, dict string) params {
	v := a.need(args, i, "SubtleCrypto", method, "string or "+dict)
	p := params{a: a, dict: dict, where: "algorithm"}
	switch o, ok := v.(*goja.Object); {
	case ok:
		p.o = o
		p.name = a.str(field(o, "name"))
	case isNullish(v):
		a.throwTypeError("Cannot initialize N7workerd3api12SubtleCrypto" + strconv.Itoa(len(dict)) + dict + "E with required members from an undefined or null value.")
	default:
		p.name = a.str(v)
	}
	return p
}

// spelled returns the one of names that the algorithm's name is, in any case.
func (p params) spelled(names ...string) (string, bool) {
	for _, n := range names {
		if strings.EqualFold(n, p.name) {
			return n, true
		}
	}
	return "", false
}

func (p params) get(name string) goja.Value { return field(p.o, name) }

func (p params) required(name string) goja.Value {
	v := p.get(name)
	if isUndefined(v) {
		p.a.throwTypeError("Missing field \"" + name + "\" in \"" + p.where + "\".")
	}
	return v
}

func (p params) buffer(name string, v goja.Value) []byte {
	b, ok := p.a.copyOf(v)
	if !ok {
		p.a.badField(p.dict, name, "BufferSource")
	}
	return b
}

// hashName reads the member hash.
func (p params) hashName() string { return p.a.hashName(p.required("hash")) }

// digests are the algorithms of digest(), by the names that keys show.
var digests = map[string]crypto.Hash{
	"SHA-1": crypto.SHA1, "SHA-256": crypto.SHA256, "SHA-384": crypto.SHA384, "SHA-512": crypto.SHA512, "MD5": crypto.MD5,
}

// hashName converts a digest algorithm: a name or an object with one.
func (a *API) hashName(v goja.Value) string {
	if o, ok := v.(*goja.Object); ok {
		v = field(o, "name")
	}
	name := strings.ToUpper(a.str(v))
	if _, ok := digests[name]; !ok {
		a.throwDOM("Unrecognized or unimplemented digest algorithm requested.", "NotSupportedError")
	}
	return name
}

func newHash(name string) func() hash.Hash { return digests[name].New }

func sumOf(name string, data []byte) []byte {
	h := digests[name].New()
	h.Write(data)
	return h.Sum(nil)
}

// jwk is a JSON Web Key (https://www.rfc-editor.org/rfc/rfc7517).
type jwk struct {
	a      *API
	fields map[string]string
	has    func(name string) bool
	ops    []string
	hasOps bool
	ext    bool
	hasExt bool
}

var jwkFields = []string{"kty", "use", "alg", "crv", "x", "y", "d", "n", "e", "p", "q", "dp", "dq", "qi", "k"}

func (a *API) jwkOf(o *goja.Object) *jwk {
	j := &jwk{a: a, fields: map[string]string{}}
	for _, name := range jwkFields {
		if v := field(o, name); !isUndefined(v) {
			j.fields[name] = a.str(v)
		}
	}
	oth := !isUndefined(field(o, "oth"))
	j.has = func(name string) bool {
		if name == "oth" {
			return oth
		}
		_, ok := j.fields[name]
		return ok
	}
	if v := field(o, "key_ops"); !isUndefined(v) {
		list, ok := a.stringList(v)
		if !ok {
			a.badField("JsonWebKey", "key_ops", "Array")
		}
		j.ops, j.hasOps = list, true
	}
	if v := field(o, "ext"); !isUndefined(v) {
		j.ext, j.hasExt = v.ToBoolean(), true
	}
	return j
}

// text is a member as error messages show it.
func (j *jwk) text(name string) string {
	if s, ok := j.fields[name]; ok {
		return s
	}
	return "undefined"
}

// bytes decodes a member that is base64url without padding; the ordinary
// alphabet is let through as well, as workerd does.
func (j *jwk) bytes(name string) ([]byte, bool) {
	s, ok := j.fields[name]
	if !ok {
		return nil, false
	}
	b, err := base64URL.DecodeString(strings.NewReplacer("+", "-", "/", "_").Replace(s))
	return b, err == nil
}

// checkAsymmetric checks what all asymmetric keys share; use is what they are
// for, sig or enc.
func (j *jwk) checkAsymmetric(usages []string, use string) {
	if len(usages) > 0 && j.has("use") && j.fields["use"] != use {
		// The message says "sig" whatever it should be (measured on workerd).
		j.a.throwDOM("Asymmetric \"jwk\" key import with usages requires a JSON Web Key with Public Key Use parameter \"use\" (\""+j.fields["use"]+"\") equal to \"sig\".", "DataError")
	}
	if j.hasOps {
		for _, u := range usages {
			if !contains(j.ops, u) {
				j.a.throwDOM("All specified key usages must be present in the JSON Web Key's Key Operations parameter (\"key_ops\").", "DataError")
			}
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// stringList converts an array of strings; other iterables do not count.
func (a *API) stringList(v goja.Value) ([]string, bool) {
	o, ok := v.(*goja.Object)
	if !ok || o.ClassName() != "Array" {
		return nil, false
	}
	n := int(o.Get("length").ToInteger())
	out := make([]string, 0, min(n, 64))
	for i := range n {
		x := o.Get(itoa(i))
		if x == nil {
			x = goja.Undefined()
		}
		out = append(out, a.str(x))
	}
	return out, true
}
