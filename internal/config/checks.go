package config

import (
	"net"
	"strings"
	"time"

	"github.com/durashim/durashim/internal/config/source"
)

// checkDate checks the form of a compatibility date
// (https://developers.cloudflare.com/workers/configuration/compatibility-dates/).
func checkDate(t Text) error {
	if !t.IsSet() {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, t.Value); err != nil {
		return source.Errorf(t.Pos, "invalid compatibility date %q: want YYYY-MM-DD", t.Value)
	}
	return nil
}

// joinHostPort is net.JoinHostPort, except that "*" (every interface, in
// workerd's addresses) needs no brackets and brackets may be there already.
func joinHostPort(host, port string) string {
	if strings.HasPrefix(host, "[") {
		return host + ":" + port
	}
	return net.JoinHostPort(host, port)
}
