package timelinehtml

import "time"

// Measures of a picture, in SVG user units (pixels at full size).
const (
	laneLeft   = 66  // what the names of the lanes take
	laneWidth  = 794 // the least width of the lanes
	callerTop  = 8
	barHeight  = 26
	laneGap    = 46 // between the lanes: arrows, and the names of faults
	rowGap     = 20 // "claimed" stands there
	axisGap    = 28
	arrowInset = 14 // of requests and replies from the ends of an attempt
	objectTop  = callerTop + barHeight + laneGap
	axisHeight = 26
)

// widths are the least widths of things, so that the words in them fit.
type widths struct{ attempt, wait, run float64 }

// roomy suits one or two attempts; with compact, whose words are shorter, five
// fit into the lanes.
var (
	roomy   = widths{attempt: 212, wait: 112, run: 84}
	compact = widths{attempt: 122, wait: 46, run: 62}
)

// brief chooses between words for the room there is.
func (l *layout) brief(long, short string) string {
	if l.tight() {
		return short
	}
	return long
}

// size chooses between lengths for the room there is.
func (l *layout) size(wide, narrow float64) float64 {
	if l.tight() {
		return narrow
	}
	return wide
}

// segment is a stretch of the caller's lane: an attempt, or a wait after it.
type segment struct {
	a        *attempt
	wait     bool
	from, to time.Time
	x1, x2   float64
}

// layout places a call on its picture. The axis is one of time, but stretched:
// every segment is wide enough for its words, and what is left of the width is
// shared out by duration.
type layout struct {
	*scene
	widths
	segments []segment
	right    float64
	rows     []float64 // how far each row of the object's lane is taken
}

func newLayout(s *scene) *layout {
	l := &layout{scene: s, widths: roomy}
	if len(s.attempts) > 2 {
		l.widths = compact
	}
	now := s.r.Started // segments follow each other, whatever the record says
	add := func(a *attempt, wait bool, to time.Time) {
		if to.Before(now) {
			to = now
		}
		l.segments = append(l.segments, segment{a: a, wait: wait, from: now, to: to})
		now = to
	}
	for i, a := range s.attempts {
		add(a, false, a.end)
		switch {
		case i+1 < len(s.attempts):
			add(a, true, s.attempts[i+1].sent)
		case a.waits:
			add(a, true, s.end)
		}
	}
	least, total := 0.0, time.Duration(0)
	for _, g := range l.segments {
		least += l.least(&g)
		total += g.to.Sub(g.from)
	}
	spare := max(laneWidth-least, 0)
	x := float64(laneLeft)
	for i := range l.segments {
		g := &l.segments[i]
		g.x1 = x
		x += l.least(g)
		if total > 0 {
			x += spare * float64(g.to.Sub(g.from)) / float64(total)
		}
		g.x2 = x
	}
	l.right = x
	return l
}

func (l *layout) least(g *segment) float64 {
	if g.wait {
		return l.wait
	}
	return l.attempt
}

// tight reports whether words must be short.
func (l *layout) tight() bool { return l.widths == compact }

// x returns the place of a time within an attempt's segment, or beyond it for
// what the object does later.
func (l *layout) x(t time.Time, g *segment) float64 {
	if !t.After(g.to) {
		return g.at(t)
	}
	for i := range l.segments {
		if h := &l.segments[i]; h.x1 >= g.x2 && !t.After(h.to) {
			return h.at(t)
		}
	}
	return l.right
}

func (g *segment) at(t time.Time) float64 {
	d := g.to.Sub(g.from)
	if d <= 0 {
		return g.x1
	}
	return g.x1 + (g.x2-g.x1)*float64(t.Sub(g.from))/float64(d)
}

// bar places something that the object did during an attempt: it is wide enough
// for its words, and leaves room for the arrows at both ends of the attempt.
func (l *layout) bar(g *segment, from, to time.Time) (x1, x2 float64) {
	lo, hi := g.x1+2*arrowInset, g.x2-2*arrowInset
	x1 = min(max(l.x(from, g), lo), hi-l.run)
	x2 = l.x(to, g)
	if !to.After(g.to) {
		x2 = min(x2, hi)
	}
	if !to.After(from) {
		x2 = hi // it took no time: as wide as there is room
		if g.to.After(g.from) {
			x2 = x1 + l.run
		}
	}
	return x1, max(x2, x1+l.run)
}

// row finds a free row of the object's lane for a bar.
func (l *layout) row(x1, x2 float64) (y float64) {
	i := 0
	for i < len(l.rows) && l.rows[i] > x1 {
		i++
	}
	if i == len(l.rows) {
		l.rows = append(l.rows, 0)
	}
	l.rows[i] = x2 + 4
	return objectTop + float64(i)*(barHeight+rowGap)
}

// axisY is where the axis goes, below all rows that were taken.
func (l *layout) axisY() float64 {
	return objectTop + float64(max(len(l.rows), 1))*(barHeight+rowGap) - rowGap + axisGap
}
