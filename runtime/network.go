package runtime

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/durashim/durashim/internal/config"
)

// network says which addresses a service may connect to (struct Network of
// workerd.capnp).
type network struct {
	allow, deny []netRule
}

// netRule is an entry of an allow or deny list.
type netRule struct {
	word   string // "" for a prefix
	prefix netip.Prefix
}

// newNetwork reads the lists of a configuration. Errors name the place.
func newNetwork(n *config.Network) (*network, error) {
	out := &network{}
	for _, list := range []struct {
		from []config.Text
		to   *[]netRule
	}{{n.Allow, &out.allow}, {n.Deny, &out.deny}} {
		for _, t := range list.from {
			switch t.Value {
			case "public", "private", "local", "network", "unix", "unix-abstract":
				*list.to = append(*list.to, netRule{word: t.Value})
				continue
			}
			p, err := netip.ParsePrefix(t.Value)
			if err != nil {
				if a, aerr := netip.ParseAddr(t.Value); aerr == nil {
					p, err = a.Prefix(a.BitLen())
				}
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %q is neither a CIDR block nor one of public, private, local, network, unix, unix-abstract", t.Pos, t.Value)
			}
			*list.to = append(*list.to, netRule{prefix: p.Masked()})
		}
	}
	return out, nil
}

// everywhere allows all addresses.
var everywhere = &network{allow: []netRule{{word: "public"}, {word: "private"}}}

// allowed reports whether an address may be connected to: it matches an entry of
// the allow list and none of the deny list.
func (n *network) allowed(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return matches(n.allow, a) && !matches(n.deny, a)
}

func matches(rules []netRule, a netip.Addr) bool {
	for _, r := range rules {
		switch r.word {
		case "":
			if r.prefix.Contains(a) {
				return true
			}
		case "public":
			if !private(a) {
				return true
			}
		case "private":
			if private(a) {
				return true
			}
		case "local":
			if local(a) {
				return true
			}
		case "network":
			if !local(a) {
				return true
			}
		}
	}
	return false
}

func local(a netip.Addr) bool { return a.IsLoopback() || a.IsUnspecified() }

// reserved are the blocks that standards keep for private networks besides those
// that package netip knows (https://www.iana.org/assignments/iana-ipv4-special-registry/
// and its counterpart for IPv6).
var reserved = func() (out []netip.Prefix) {
	for _, s := range strings.Fields(`0.0.0.0/8 100.64.0.0/10 169.254.0.0/16 192.0.0.0/24 198.18.0.0/15 240.0.0.0/4
		64:ff9b:1::/48 100::/64 fc00::/7 fe80::/10 fec0::/10`) {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}()

func private(a netip.Addr) bool {
	if local(a) || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsMulticast() {
		return true
	}
	for _, p := range reserved {
		if p.Contains(a) {
			return true
		}
	}
	return false
}
