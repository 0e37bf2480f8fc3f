package durable

import (
	"time"

	"github.com/google/uuid"
)

// claims remembers which identities a host has seen. A claim is made before
// user code runs and lives as long as a duplicate can arrive: a reply that the
// caller received releases it, else it stays until the call's retry window is
// over. Claims are in memory only; what a host of another incarnation knew is
// covered by the incarnation that every retry carries.
//
// It belongs to the host's loop.
type claims struct {
	until map[uuid.UUID]time.Time
	purge int // size at which expired claims are looked for
}

// take claims an identity; it reports false when it was claimed before.
func (c *claims) take(id uuid.UUID, deadline, now time.Time) bool {
	if t, ok := c.until[id]; ok && !now.After(t) {
		return false
	}
	if c.until == nil {
		c.until = make(map[uuid.UUID]time.Time)
	}
	if len(c.until) >= c.purge {
		for id, t := range c.until {
			if now.After(t) {
				delete(c.until, id)
			}
		}
		// Doubling keeps the cost of looking through all of them constant per claim.
		c.purge = 2*len(c.until) + 64
	}
	c.until[id] = deadline
	return true
}

func (c *claims) release(id uuid.UUID) { delete(c.until, id) }
