package remote

import (
	"fmt"
	"net"
	"net/netip"
	"syscall"
)

// allowed reports whether an address is one that a connection may be made to or
// taken from: loopback, private (RFC 1918, RFC 4193) or link-local.
func allowed(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast()
}

// checkAddr refuses an address of a socket that is not allowed. what says whose
// it is.
func checkAddr(what, addr string) error {
	ap, err := netip.ParseAddrPort(addr)
	if err != nil {
		return &refusal{fmt.Sprintf("%s %s is not an IP address with a port", what, addr)}
	}
	switch a := ap.Addr(); {
	case a.IsUnspecified():
		return &refusal{fmt.Sprintf("%s %s stands for every address of this machine; the traffic is not encrypted, so give a loopback or private one", what, addr)}
	case !allowed(a):
		return &refusal{fmt.Sprintf("%s %s is neither loopback nor private; the traffic is not encrypted", what, addr)}
	}
	return nil
}

// CheckListener returns why [Server.Serve] refuses a listener: others could reach it.
func CheckListener(l net.Listener) error {
	return checkAddr("the listener's address", l.Addr().String())
}

// newDialer returns a dialer that looks at the address which a name stands for,
// so that no name leads elsewhere.
func newDialer() *net.Dialer {
	return &net.Dialer{Control: func(_, addr string, _ syscall.RawConn) error {
		return checkAddr("the host's address", addr)
	}}
}
