package durable

import (
	"fmt"
	"math"
	"time"

	"github.com/durashim/durashim/internal/random"
)

// Limits of the retry options, from the announcement.
const (
	MaxRetriesDefault = 4
	MaxRetriesLimit   = 10

	RetryTimeoutDefault = 10 * time.Second
	RetryTimeoutMin     = 500 * time.Millisecond
	RetryTimeoutMax     = 60 * time.Second
)

// RetryOptions are the `retry` options of a stub, complete and valid. Make one
// with [DefaultRetry] and change it with [RetryOptions.SetMaxRetries] and
// [RetryOptions.SetTimeout].
type RetryOptions struct {
	maxRetries int
	timeout    time.Duration
}

// DefaultRetry returns 4 retries (5 attempts in all) within 10 seconds.
func DefaultRetry() RetryOptions {
	return RetryOptions{MaxRetriesDefault, RetryTimeoutDefault}
}

// MaxRetries is the number of attempts after the first one.
func (o RetryOptions) MaxRetries() int { return o.maxRetries }

// Timeout is the retry window: no retry starts later than this after the call.
func (o RetryOptions) Timeout() time.Duration { return o.timeout }

// SetMaxRetries sets the number of retries. The error is a RangeError with the
// real runtime's text.
func (o *RetryOptions) SetMaxRetries(n float64) error {
	if n != math.Trunc(n) || !(n >= 0 && n <= MaxRetriesLimit) {
		return &Error{Name: "RangeError", Message: fmt.Sprintf("retry.maxRetries must be an integer between 0 and %d", MaxRetriesLimit)}
	}
	o.maxRetries = int(n)
	return nil
}

// SetTimeout sets the retry window in milliseconds. The error is a RangeError
// with the real runtime's text.
func (o *RetryOptions) SetTimeout(ms float64) error {
	lo, hi := RetryTimeoutMin.Milliseconds(), RetryTimeoutMax.Milliseconds()
	if ms != math.Trunc(ms) || !(ms >= float64(lo) && ms <= float64(hi)) {
		return &Error{Name: "RangeError", Message: fmt.Sprintf("retry.timeoutMs must be an integer between %d and %d", lo, hi)}
	}
	o.timeout = time.Duration(ms) * time.Millisecond
	return nil
}

// Backoff draws the time to wait before retry k, which is 1 for the first retry.
type Backoff func(k int, r *random.Source) time.Duration

// MeasuredBackoff is the real runtime's distribution: uniform over [0, 500) ms,
// [0, 1000), [1000, 3000), and [2000, 4000) from the fourth retry on. It was
// found by timing 300 calls of 10 retries each on workerd.
func MeasuredBackoff(k int, r *random.Source) time.Duration {
	const ms = time.Millisecond
	switch {
	case k <= 1:
		return r.Between(0, 500*ms)
	case k == 2:
		return r.Between(0, 1000*ms)
	case k == 3:
		return r.Between(1000*ms, 3000*ms)
	default:
		return r.Between(2000*ms, 4000*ms)
	}
}
