// Package random is the one random source of durashim. Everything that draws
// numbers (call identities, backoff, unique object ids, crypto.getRandomValues)
// draws from a [Source] that was passed in, so that a seed makes a whole run
// repeatable.
package random

import (
	crand "crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"sync"
	"time"
)

// Source is a cryptographically strong random source (ChaCha8, as specified at
// https://c2sp.org/chacha8rand). It is safe for use by many goroutines; the
// sequence is deterministic only as far as the order of the draws is.
type Source struct {
	mu  sync.Mutex
	gen *rand.ChaCha8
}

var _ io.Reader = (*Source)(nil)

// New returns a source keyed by the operating system.
func New() *Source {
	var key [32]byte
	// crypto/rand.Read never fails: it ends the process instead (its
	// documentation since Go 1.24).
	_, _ = crand.Read(key[:])
	return &Source{gen: rand.NewChaCha8(key)}
}

// Seeded returns a source whose sequence depends on the seed alone.
func Seeded(seed uint64) *Source {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	return &Source{gen: rand.NewChaCha8(sha256.Sum256(b[:]))}
}

// Read fills p and never fails.
func (s *Source) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gen.Read(p)
}

// Uint64 returns 64 random bits.
func (s *Source) Uint64() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gen.Uint64()
}

// Uint128 returns 128 random bits: what a UUID needs, in one draw.
func (s *Source) Uint128() (hi, lo uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.gen.Uint64(), s.gen.Uint64()
}

// Float64 returns a number in [0, 1), with 53 random bits.
func (s *Source) Float64() float64 {
	return float64(s.Uint64()>>11) / (1 << 53)
}

// Between returns a duration uniformly drawn from [lo, hi). It returns lo when
// the interval is empty.
func (s *Source) Between(lo, hi time.Duration) time.Duration {
	if hi <= lo {
		return lo
	}
	return lo + time.Duration(s.Float64()*float64(hi-lo))
}
