package jsbridge

import (
	"time"

	"github.com/durashim/durashim/jsbridge/intl"
)

// installIntl defines Intl and the locale methods, which load at their first use.
func (iso *Isolate) installIntl() {
	if err := intl.Install(iso.rt, func() time.Time { return iso.now }); err != nil {
		iso.throw(err)
	}
}
