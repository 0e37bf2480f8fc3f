package shimtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// compare finds what differs between one run and two.
func (r *AuditReport) compare(once, twice *audited) {
	first, second := &twice.runs[0], &twice.runs[1]
	if first.result != second.result {
		r.differ("result", first.result, second.result)
	}
	all := maps.Clone(once.state)
	maps.Copy(all, twice.state)
	for _, what := range slices.Sorted(maps.Keys(all)) {
		if a, b := once.state[what], twice.state[what]; a != b {
			r.differ(what, a, b)
		}
	}
	r.calls(first.calls, second.calls)
	r.requests(first.requests, second.requests)
}

func (r *AuditReport) differ(what, once, twice string) {
	r.Differences = append(r.Differences, Difference{what, once, twice})
}

// calls compares the calls to other objects. The second run makes its own; if they
// are those of the first, their effect is what storage shows.
func (r *AuditReport) calls(first, second []string) {
	a, b := count(first), count(second)
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, call := range slices.Sorted(maps.Keys(all)) {
		switch {
		case a[call] == b[call]:
			r.Notes = append(r.Notes, "calls "+call+" again in the second run, with the same arguments")
		default:
			r.differ("call of "+call, made(a[call]), made(a[call]+b[call]))
		}
	}
}

// requests compares what was sent outside. Nobody can see what it does there, so a
// repetition counts unless it says that it is one.
func (r *AuditReport) requests(first, second []sentRequest) {
	texts := func(list []sentRequest) (all []string) {
		for _, q := range list {
			all = append(all, q.text)
		}
		return all
	}
	safe := map[string]bool{}
	for _, q := range append(slices.Clone(first), second...) {
		safe[q.text] = q.safe
	}
	a, b := count(texts(first)), count(texts(second))
	for _, text := range slices.Sorted(maps.Keys(safe)) {
		if safe[text] && a[text] == b[text] {
			r.Notes = append(r.Notes, "sends "+text+" again in the second run")
			continue
		}
		r.differ("request "+text, made(a[text]), made(a[text]+b[text]))
	}
}

func count(list []string) map[string]int {
	n := map[string]int{}
	for _, s := range list {
		n[s]++
	}
	return n
}

// made says how often something was done, "" for never.
func made(n int) string {
	if n == 0 {
		return ""
	}
	return times(n)
}

// String is the report as text:
//
//	INVENTORY("main").addOne is not safe to repeat. From the same state:
//	    result                              once: 1      twice: 2
//	    INVENTORY("main") key "item:apple"  once: 1      twice: 2
func (r *AuditReport) String() string {
	var b strings.Builder
	if len(r.Differences) == 0 {
		fmt.Fprintf(&b, "%s is safe to repeat: a second run changes nothing that others can see.\n", r.Call)
	} else {
		fmt.Fprintf(&b, "%s is not safe to repeat. Run once, and run twice, from the same state:\n", r.Call)
	}
	what, once := 0, 0
	for _, d := range r.Differences {
		what, once = max(what, len([]rune(d.What))), max(once, len([]rune(orAbsent(d.Once))))
	}
	// Long texts go to lines of their own.
	for _, d := range r.Differences {
		if what > 60 || once > 40 {
			fmt.Fprintf(&b, "    %s\n        once:  %s\n        twice: %s\n", d.What, orAbsent(d.Once), orAbsent(d.Twice))
			continue
		}
		fmt.Fprintf(&b, "    %-*s  once: %-*s  twice: %s\n", what, d.What, once, orAbsent(d.Once), orAbsent(d.Twice))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "    note: it %s\n", n)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func orAbsent(s string) string {
	if s == "" {
		return "absent"
	}
	return s
}

// sentRequest is a request that left the project.
type sentRequest struct {
	text string
	safe bool // to repeat, by HTTP's rules or by its own word
}

// network records what is sent outside.
type network struct {
	answer http.RoundTripper // nil: nobody
	mu     sync.Mutex
	sent   []sentRequest
}

// take returns what was sent since the last take.
func (n *network) take() []sentRequest {
	n.mu.Lock()
	defer n.mu.Unlock()
	sent := n.sent
	n.sent = nil
	return sent
}

// RoundTrip implements [http.RoundTripper].
func (n *network) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		_ = req.Body.Close() // it has been read
		req.Body = io.NopCloser(bytes.NewReader(body))
	}
	q := sentRequest{text: req.Method + " " + req.URL.String(), safe: req.Method == http.MethodGet || req.Method == http.MethodHead}
	if len(body) > 0 {
		q.text += " " + bodyText(body)
	}
	// https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
	if key := req.Header.Get("Idempotency-Key"); key != "" {
		q.text += " [Idempotency-Key: " + key + "]"
		q.safe = true
	}
	n.mu.Lock()
	n.sent = append(n.sent, q)
	n.mu.Unlock()
	if n.answer == nil {
		return nil, fmt.Errorf("shimtest: an audit sends nothing to the network; answer %s %s with the option Outbound", req.Method, req.URL)
	}
	return n.answer.RoundTrip(req)
}

// bodyText writes a body if it is a short text, or its digest.
func bodyText(body []byte) string {
	for _, c := range body {
		if len(body) > maxText || c < ' ' || c > '~' {
			return fmt.Sprintf("(%d bytes, %s)", len(body), digest(body))
		}
	}
	return string(body)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256 " + hex.EncodeToString(sum[:6])
}

func readAll(res *http.Response) (string, error) {
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	return bodyText(body), err
}
