package sched

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// A program is a tree of pieces of work. Each is posted or set as a timer by its
// parent; besides, it may stop a timer or close a loop.
type work struct {
	parent int // -1: by the test itself, before the first command
	loop   int // posted to this loop; -1: a timer
	kind   Kind
	delay  time.Duration
	stop   int // stops the timer of this piece, if it was set; -1: none
	close  int // closes this loop; -1: none
}

// A command is what the test then does.
type command struct {
	what  string // "wait", "advance", "settle", "manual", "by itself"
	piece int    // wait: for this piece to run
	d     time.Duration
}

const modelLoops = 3

func drawProgram(t *rapid.T) (program []work, commands []command) {
	n := rapid.IntRange(1, 25).Draw(t, "pieces")
	delay := rapid.SampledFrom([]time.Duration{0, 0, 1, 1, 2, 3, 5, 10})
	for i := range n {
		program = append(program, work{
			parent: rapid.IntRange(-1, i-1).Draw(t, "parent"),
			loop:   rapid.IntRange(-1, modelLoops-1).Draw(t, "loop"),
			kind:   rapid.SampledFrom([]Kind{Needed, Needed, Background, Repeated}).Draw(t, "kind"),
			delay:  delay.Draw(t, "delay"),
			stop:   max(-1, rapid.IntRange(-15, n-1).Draw(t, "stop")),
			close:  max(-1, rapid.IntRange(-20, modelLoops-1).Draw(t, "close")),
		})
	}
	for range rapid.IntRange(1, 6).Draw(t, "commands") {
		commands = append(commands, command{
			what:  rapid.SampledFrom([]string{"wait", "wait", "advance", "settle", "manual", "by itself"}).Draw(t, "what"),
			piece: rapid.IntRange(0, n-1).Draw(t, "piece"),
			d:     delay.Draw(t, "d"),
		})
	}
	return program, commands
}

// model does what the scheduler promises, in the simplest way.
type model struct {
	program []work
	now     time.Duration
	ready   []int
	timers  []modelTimer
	seq     int
	closed  [modelLoops]bool
	ran     []bool
	manual  bool
	trace   []string
}

type modelTimer struct {
	at    time.Duration
	seq   int
	kind  Kind
	piece int // -1: the end of an advance
}

func (m *model) start(i int) {
	if p := m.program[i]; p.loop < 0 {
		m.set(p.delay, p.kind, i)
	} else if !m.closed[p.loop] {
		m.ready = append(m.ready, i)
	}
}

func (m *model) set(d time.Duration, k Kind, piece int) {
	m.seq++
	m.timers = append(m.timers, modelTimer{m.now + d, m.seq, k, piece})
	slices.SortFunc(m.timers, func(a, b modelTimer) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return a.seq - b.seq
	})
}

func (m *model) run(i int) {
	m.ran[i] = true
	m.trace = append(m.trace, fmt.Sprintf("%d@%d", i, m.now))
	for c := range m.program {
		if m.program[c].parent == i {
			m.start(c)
		}
	}
	if s := m.program[i].stop; s >= 0 {
		m.timers = slices.DeleteFunc(m.timers, func(t modelTimer) bool { return t.piece == s })
	}
	if l := m.program[i].close; l >= 0 {
		m.closed[l] = true
		m.ready = slices.DeleteFunc(m.ready, func(i int) bool { return m.program[i].loop == l })
	}
}

// drive runs until the piece has run (-1: until all is settled, after the end of
// an advance if there is one). It reports false when it can go no further.
func (m *model) drive(piece int) bool {
	for piece < 0 || !m.ran[piece] {
		if len(m.ready) > 0 {
			i := m.ready[0]
			m.ready = m.ready[1:]
			m.run(i)
			continue
		}
		advancing := slices.ContainsFunc(m.timers, func(t modelTimer) bool { return t.kind == ByHand })
		needed := slices.ContainsFunc(m.timers, func(t modelTimer) bool { return t.kind == Needed || t.kind == Repeated })
		due := len(m.timers) > 0 && m.timers[0].at <= m.now
		if !due && piece < 0 && !advancing {
			return true
		}
		if !due && !advancing && (m.manual || !needed) {
			return false
		}
		t := m.timers[0]
		m.timers = m.timers[1:]
		m.now = max(m.now, t.at)
		if t.piece >= 0 {
			m.run(t.piece)
		}
	}
	return true
}

func (m *model) do(c command) string {
	ok := true
	switch c.what {
	case "wait":
		ok = m.drive(c.piece)
	case "settle":
		ok = m.drive(-1)
	case "advance":
		m.set(c.d, ByHand, -1)
		ok = m.drive(-1)
	default:
		m.manual = c.what == "manual"
	}
	return fmt.Sprintf("%s: %v at %d", c.what, ok, m.now)
}

func runModel(program []work, commands []command) []string {
	m := &model{program: program, ran: make([]bool, len(program))}
	for i, p := range program {
		if p.parent < 0 {
			m.start(i)
		}
	}
	for _, c := range commands {
		if c.what == "wait" && m.manual {
			continue // it would block until another goroutine moves the clock
		}
		m.trace = append(m.trace, m.do(c))
	}
	return m.trace
}

func runVirtual(t *rapid.T, program []work, commands []command) (trace []string) {
	v := NewVirtual(Epoch)
	ctx, leave := v.Join(t.Context())
	defer leave()
	var loops [modelLoops]Loop
	for i := range loops {
		loops[i] = v.NewLoop("")
	}
	done := make([]chan struct{}, len(program))
	timers := make([]Timer, len(program))
	now := func() time.Duration { return v.Now().Sub(Epoch) }
	var start func(i int)
	run := func(i int) {
		trace = append(trace, fmt.Sprintf("%d@%d", i, now()))
		close(done[i])
		for c := range program {
			if program[c].parent == i {
				start(c)
			}
		}
		if s := program[i].stop; s >= 0 && timers[s] != nil {
			timers[s].Stop()
		}
		if l := program[i].close; l >= 0 {
			loops[l].Close()
		}
	}
	start = func(i int) {
		if p := program[i]; p.loop < 0 {
			timers[i] = v.AfterFunc(p.delay, p.kind, "", func() { run(i) })
		} else {
			loops[p.loop].Post(func() { run(i) })
		}
	}
	for i, p := range program {
		done[i] = make(chan struct{})
		if p.parent < 0 {
			start(i)
		}
	}
	manual := false
	for _, c := range commands {
		var err error
		switch c.what {
		case "wait":
			if manual {
				continue
			}
			err = v.Wait(ctx, done[c.piece])
		case "settle":
			err = v.Settle(ctx)
		case "advance":
			err = v.Advance(ctx, c.d)
		default:
			manual = c.what == "manual"
			v.Manual(manual)
		}
		var stall *StallError
		if err != nil && !errors.As(err, &stall) {
			t.Fatal(err)
		}
		trace = append(trace, fmt.Sprintf("%s: %v at %d", c.what, err == nil, now()))
	}
	return trace
}

// The same program gives the model's trace, and the same each time.
func TestVirtualFollowsTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		program, commands := drawProgram(t)
		want := runModel(program, commands)
		for range 2 {
			if got := runVirtual(t, program, commands); !slices.Equal(got, want) {
				t.Fatalf("got  %q\nwant %q", got, want)
			}
		}
	})
}
