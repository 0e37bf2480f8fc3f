package jsclone

import (
	"github.com/dop251/goja/unistring"

	"github.com/durashim/durashim/internal/structclone"
)

// keyCache keeps the names of properties met lately, so that the objects of a
// list, which have the same names, do not each hold copies of them.
type keyCache struct {
	m map[string]unistring.String
}

const (
	maxCachedKeys   = 1024
	maxCachedKeyLen = 40
)

func (k *keyCache) get(s structclone.String) unistring.String {
	if !s.IsASCII() {
		u := s.AppendUTF16([]uint16{unistring.BOM})
		for _, c := range u[1:] {
			if c >= 0x80 {
				return unistring.FromUtf16(u)
			}
		}
		return unistring.String(s.String()) // ASCII written with two bytes each
	}
	if len(s.Bytes) > maxCachedKeyLen {
		return unistring.String(s.Bytes)
	}
	if name, ok := k.m[string(s.Bytes)]; ok {
		return name
	}
	if k.m == nil || len(k.m) >= maxCachedKeys {
		k.m = make(map[string]unistring.String)
	}
	name := unistring.String(s.Bytes)
	k.m[string(name)] = name
	return name
}
