package loader

import (
	"encoding/json"
	"fmt"
	"strings"
)

// tidySourceMap names the sources as users know them, relative to Dir and
// without the names of esbuild's namespaces, and moves columns: source maps
// count them from 0, goja from 1 on either side.
func (p *plugin) tidySourceMap(data []byte) ([]byte, error) {
	var m struct {
		Version  int      `json:"version"`
		Sources  []string `json:"sources"`
		Names    []string `json:"names"`
		Mappings string   `json:"mappings"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("loader: the bundler's source map: %w", err)
	}
	for i, s := range m.Sources {
		m.Sources[i] = p.displayName(s)
	}
	m.Names = []string{}
	var err error
	if m.Mappings, err = shiftColumns(m.Mappings); err != nil {
		return nil, err
	}
	return json.Marshal(m)
}

// shiftColumns adds 1 to every column of a source map. Generated columns are
// differences within a line, source columns differences within the whole, so
// only the first of each has to change.
func shiftColumns(mappings string) (string, error) {
	var b strings.Builder
	b.Grow(len(mappings) + len(mappings)/8)
	source := false // whether the first source column was seen
	for i, line := range strings.Split(mappings, ";") {
		if i > 0 {
			b.WriteByte(';')
		}
		for first := true; line != ""; first = false {
			if !first && source {
				b.WriteString(line)
				break
			}
			seg, rest, more := strings.Cut(line, ",")
			fields, err := decodeVLQ(seg)
			if err != nil {
				return "", err
			}
			if first && len(fields) > 0 {
				fields[0]++
			}
			if !source && len(fields) >= 4 {
				fields[3]++
				source = true
			}
			for _, f := range fields {
				encodeVLQ(&b, f)
			}
			if more {
				b.WriteByte(',')
			}
			line = rest
		}
	}
	return b.String(), nil
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

func decodeVLQ(s string) ([]int, error) {
	var out []int
	n, shift := 0, 0
	for i := 0; i < len(s); i++ {
		d := strings.IndexByte(base64Digits, s[i])
		if d < 0 || shift > 30 {
			return nil, fmt.Errorf("loader: the source map has the invalid segment %q", s)
		}
		n |= d & 31 << shift
		shift += 5
		if d&32 == 0 {
			if n&1 != 0 {
				n = -n
			}
			out = append(out, n/2)
			n, shift = 0, 0
		}
	}
	if shift != 0 {
		return nil, fmt.Errorf("loader: the source map has the unfinished segment %q", s)
	}
	return out, nil
}

func encodeVLQ(b *strings.Builder, n int) {
	u := n << 1
	if n < 0 {
		u = -n<<1 | 1
	}
	for {
		d := u & 31
		u >>= 5
		if u != 0 {
			d |= 32
		}
		b.WriteByte(base64Digits[d])
		if u == 0 {
			return
		}
	}
}
