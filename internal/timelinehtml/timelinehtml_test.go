package timelinehtml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/durashim/durashim/durable"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return epoch.Add(time.Duration(ms) * time.Millisecond) }

var lost = &durable.Error{Name: "Error", Message: "Network connection lost.", Retryable: true}

// lostReply is a call whose reply was lost, and what became of its retry.
func lostReply(retry ...durable.Event) durable.CallRecord {
	r := durable.CallRecord{Seq: 1, Method: "addOne", Kind: durable.Fetch, Started: epoch, Outcome: durable.ClaimRejected, Err: lost,
		Target: durable.Target{Namespace: "N", Name: "a"}, Caller: "test"}
	r.Events = append([]durable.Event{
		{At: at(0), Kind: durable.EventSent, Attempt: 1},
		{At: at(5), Kind: durable.EventClaimed, Attempt: 1},
		{At: at(5), Kind: durable.EventStarted, Attempt: 1},
		{At: at(25), Kind: durable.EventRan, Attempt: 1},
		{At: at(25), Kind: durable.EventFault, Attempt: 1, Point: durable.PointReplyDropped, Fault: "reply dropped after the method finished"},
		{At: at(30), Kind: durable.EventFailed, Attempt: 1, Delivery: durable.Uncertain, Err: lost},
		{At: at(30), Kind: durable.EventBackoff, Attempt: 1, Wait: 200 * time.Millisecond},
		{At: at(230), Kind: durable.EventSent, Attempt: 2, Retry: true},
	}, retry...)
	return r
}

var rejected = []durable.Event{
	{At: at(240), Kind: durable.EventRejected, Attempt: 2},
	{At: at(240), Kind: durable.EventEnded, Attempt: 2, Err: lost},
}

// parse checks that a text is well-formed, and returns what it shows.
func parse(t *testing.T, text string) (shown string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = true
	var b strings.Builder
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return b.String()
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if tok.Name.Local == "script" || tok.Name.Local == "image" || tok.Name.Local == "foreignObject" {
				t.Errorf("there is an element %s", tok.Name.Local)
			}
			for _, a := range tok.Attr {
				if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" || a.Name.Local == "src" {
					t.Errorf("there is an attribute %s", a.Name.Local)
				}
			}
		case xml.CharData:
			b.Write(tok)
			b.WriteByte('\n')
		}
	}
}

func svg(t *testing.T, r durable.CallRecord, night bool) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteSVG(&b, []durable.CallRecord{r}, epoch, night); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPictureTellsTheCall(t *testing.T) {
	ran := lostReply(
		durable.Event{At: at(230), Kind: durable.EventStarted, Attempt: 2},
		durable.Event{At: at(240), Kind: durable.EventRan, Attempt: 2},
		durable.Event{At: at(240), Kind: durable.EventEnded, Attempt: 2})
	ran.Outcome, ran.Err = durable.Recovered, nil
	for _, c := range []struct {
		r    durable.CallRecord
		want []string
	}{
		{lostReply(rejected...), []string{"attempt 1", "ran", "reply lost", "waits 200 ms", "attempt 2 · flagged retry", "rejected: seen before", "claim rejected", "0 ms", "30 ms", "240 ms",
			"Attempt 1 ran, and its reply was lost; the caller waited 200 ms. Attempt 2 was rejected: the host had seen the request.", "Network connection lost."}},
		{ran, []string{"ran again", "recovered", "Attempt 2 ran again and was answered.", "the method ran 2 times."}},
	} {
		// Words may be broken over lines.
		shown := strings.Join(strings.Fields(parse(t, svg(t, c.r, false))), " ")
		for _, want := range c.want {
			if !strings.Contains(shown, want) {
				t.Errorf("the picture lacks %q:\n%s", want, shown)
			}
		}
	}
}

// crashed is a call whose host crashes at a point of its first attempt.
func crashed(p durable.FaultPoint, runs bool) durable.CallRecord {
	r := lostReply(rejected...)
	var events []durable.Event
	for _, e := range r.Events {
		if e.Attempt == 1 && !runs && (e.Kind == durable.EventStarted || e.Kind == durable.EventRan) {
			continue
		}
		if e.Kind == durable.EventFault {
			e.Point, e.Fault = p, p.String()
		}
		events = append(events, e)
	}
	r.Events = events
	return r
}

func TestPictureOfCrashesAndStorage(t *testing.T) {
	slow := lostReply()
	slow.Events = append(slow.Events[:4:4],
		durable.Event{At: at(5), Kind: durable.EventFault, Attempt: 1, Point: durable.PointStorageUnavailable, Fault: "storage unavailable"},
		durable.Event{At: at(3000), Kind: durable.EventEnded, Attempt: 1})
	slow.Outcome, slow.Err = durable.Succeeded, nil
	failed := lostReply()
	failed.Events = append(failed.Events[:4:4],
		durable.Event{At: at(25), Kind: durable.EventFault, Attempt: 1, Point: durable.PointWriteFailed, Fault: "storage failed"},
		durable.Event{At: at(25), Kind: durable.EventFailed, Attempt: 1, Delivery: durable.Answered, Err: lost},
		durable.Event{At: at(25), Kind: durable.EventEnded, Attempt: 1, Err: lost})
	failed.Outcome = durable.Failed
	for name, c := range map[string]struct {
		r    durable.CallRecord
		want []string
	}{
		"before": {crashed(durable.PointCrashBefore, false), []string{"host crashed", "did not run", "claimed", "rejected: cannot know",
			"Attempt 1 arrived, and the host crashed before it ran; the caller waited 200 ms. Attempt 2 was rejected: this host cannot know what ran on the one that crashed."}},
		"during":  {crashed(durable.PointCrashDuring, true), []string{"host crashed", "ran, and the host crashed meanwhile"}},
		"after":   {crashed(durable.PointCrashAfter, true), []string{"host crashed", "ran, and the host crashed before it was answered"}},
		"storage": {slow, []string{"storage unavailable", "storage does not answer", "ran, and was answered when the storage was there again", "3.00 s"}},
		"write":   {failed, []string{"write failed", "ran, writes lost", "ran, and its writes could not be made durable"}},
	} {
		shown := strings.Join(strings.Fields(parse(t, svg(t, c.r, false))), " ")
		for _, want := range c.want {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: the picture lacks %q:\n%s", name, want, shown)
			}
		}
	}
}

// The page says where the method threw.
func TestPlaceIsShown(t *testing.T) {
	r := lostReply()
	err := &durable.Error{Name: "Error", Message: "no", Remote: true, Stack: "Error: no\n\tat m (src/a.ts:2:3(1))"}
	r.Events = append(r.Events[:3:3],
		durable.Event{At: at(25), Kind: durable.EventRan, Attempt: 1, Err: err},
		durable.Event{At: at(25), Kind: durable.EventFailed, Attempt: 1, Delivery: durable.Answered, Err: err},
		durable.Event{At: at(25), Kind: durable.EventEnded, Attempt: 1, Err: err})
	r.Outcome, r.Err = durable.Failed, err
	var b strings.Builder
	if err := WriteSections(&b, []Section{{Title: "t", Calls: []durable.CallRecord{r}}}); err != nil {
		t.Fatal(err)
	}
	if want := "Attempt 1 ran and failed at src/a.ts:2:3. The caller got this error: no"; !strings.Contains(b.String(), want) {
		t.Errorf("the page lacks %q:\n%s", want, b.String())
	}
}

// A warning stands at the last round of calls that the application repeats.
func TestRepetitionsAreShown(t *testing.T) {
	var calls []durable.CallRecord
	for i := range 3 {
		r := lostReply(rejected...)
		r.Seq = i + 1
		if i > 0 {
			r.Repeats = &durable.Repetition{First: 1, Round: i + 1, Allowed: 5, Site: "a.ts:1:2"}
		}
		calls = append(calls, r)
	}
	const want = "Retries multiply: 3 calls, 6 attempts so far: the application at a.ts:1:2 made N(&#34;a&#34;).addOne() 3 times"
	var page, picture bytes.Buffer
	if err := Write(&page, calls, epoch); err != nil {
		t.Fatal(err)
	}
	if err := WriteSVG(&picture, calls, epoch, true); err != nil {
		t.Fatal(err)
	}
	if text := page.String(); strings.Count(text, want) != 1 || !strings.Contains(text, "round 3") || !strings.Contains(text, "2 repeated by the application") {
		t.Errorf("the page lacks the warning, or has it twice:\n%s", text)
	}
	shown := strings.Join(strings.Fields(parse(t, picture.String())), " ")
	if strings.Count(shown, "Retries multiply: 3 calls, 6 attempts so far: the application at a.ts:1:2 made") != 1 {
		t.Errorf("the picture lacks the warning:\n%s", shown)
	}
}

func TestThemesDifferInColoursAlone(t *testing.T) {
	r := lostReply(rejected...)
	day, night := svg(t, r, false), svg(t, r, true)
	colours := regexp.MustCompile(`#[0-9a-f]{6}`)
	if day == night || colours.ReplaceAllString(day, "#") != colours.ReplaceAllString(night, "#") {
		t.Error("the themes are equal, or differ in more than colours")
	}
	if strings.Contains(day, "$") || strings.Contains(night, "$") {
		t.Error("a colour was not filled in")
	}
}

// What a script chose as a name cannot leave its place.
func TestTextIsEscaped(t *testing.T) {
	r := lostReply(rejected...)
	r.Method = "</text><script>alert(1)</script>\x00\x1b&'\""
	r.Err = &durable.Error{Message: "<b onclick=x>\x01"}
	parse(t, svg(t, r, false))
	var b bytes.Buffer
	if err := Write(&b, []durable.CallRecord{r}, epoch); err != nil {
		t.Fatal(err)
	}
	if page := b.String(); strings.Contains(page, "<script") || strings.Contains(page, "<b ") || strings.Contains(page, "http") {
		t.Errorf("the page has a script, or leads elsewhere:\n%s", page)
	}
}

func TestPage(t *testing.T) {
	quiet := durable.CallRecord{Seq: 2, Method: "get", Started: at(300), Outcome: durable.Succeeded, Events: []durable.Event{
		{At: at(300), Kind: durable.EventSent, Attempt: 1}, {At: at(300), Kind: durable.EventStarted, Attempt: 1},
		{At: at(301), Kind: durable.EventRan, Attempt: 1}, {At: at(301), Kind: durable.EventEnded, Attempt: 1}}}
	var b bytes.Buffer
	if err := WriteSections(&b, []Section{{Title: "a<b", Verdict: "failed", Epoch: epoch, Calls: []durable.CallRecord{lostReply(rejected...), quiet}}}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for want, n := range map[string]int{
		"a&lt;b": 1, `<span class="pill bad">failed</span>`: 1, `class="card"`: 1, `class="quiet"`: 1, "<svg ": 2,
		"2 calls · 1 touched by a fault · 1 failed": 1, "prefers-color-scheme: dark": 1, "at 300 ms, took 1.00 ms": 1,
	} {
		if got := strings.Count(page, want); got != n {
			t.Errorf("%q is %d times on the page, want %d", want, got, n)
		}
	}
}

func TestWriteReportsErrors(t *testing.T) {
	full := errors.New("disk full")
	w := writerFunc(func([]byte) (int, error) { return 0, full })
	if err := Write(w, nil, epoch); !errors.Is(err, full) {
		t.Errorf("page: %v", err)
	}
	if err := WriteSVG(w, nil, epoch, false); !errors.Is(err, full) {
		t.Errorf("SVG: %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Whatever the order of events, a picture is well-formed and stays on the paper.
func TestAnyEvents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	number := regexp.MustCompile(`(NaN|Inf|width="-)`)
	for range 300 {
		r := durable.CallRecord{Seq: 1, Method: "m", Started: epoch, Outcome: durable.Outcome(rng.IntN(10))}
		if rng.IntN(2) == 0 {
			r.Err = lost
		}
		ms := 0
		for range rng.IntN(14) {
			ms += rng.IntN(3) * rng.IntN(2000)
			e := durable.Event{At: at(ms), Kind: durable.EventKind(rng.IntN(10)), Attempt: 1 + rng.IntN(4), Delivery: durable.Delivery(rng.IntN(3)),
				Point: durable.FaultPoint(rng.IntN(19)), Wait: time.Duration(rng.IntN(1000)) * time.Millisecond}
			if e.Kind == durable.EventFailed || rng.IntN(3) == 0 {
				e.Err = lost
			}
			r.Events = append(r.Events, e)
		}
		text := svg(t, r, false)
		parse(t, text)
		if bad := number.FindString(text); bad != "" {
			t.Fatalf("%s in the picture of %+v\n%s", bad, r.Events, text)
		}
	}
}
