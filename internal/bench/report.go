package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// report holds the figures of all rounds.
type report struct {
	Started               string
	LoadBefore, LoadAfter string // of the machine: the averages over 1, 5 and 15 minutes
	Rows                  []*row
}

// row is one measurement. Values are in seconds or bytes, a list for each side
// with one value for each round.
type row struct {
	Name   string
	Unit   unit
	Budget float64 `json:",omitempty"` // of the ratio
	Limit  float64 `json:",omitempty"` // of ours
	Ours   []float64
	Theirs []float64 `json:",omitempty"`
	// Processor time of the sides' processes while they were measured, warming
	// up included, in seconds over all rounds.
	OursCPU   float64
	TheirsCPU float64 `json:",omitempty"`
	Error     string  `json:",omitempty"` // why there are no values

	measure measure
}

// collect measures, round by round; the sides take turns in going first.
func (r *report) collect(ctx context.Context, all []measure, sides []*side, rounds int, log io.Writer) {
	for _, m := range all {
		r.Rows = append(r.Rows, &row{Name: m.name, Unit: m.unit, Budget: m.budget, Limit: m.limit, measure: m})
	}
	for round := range rounds {
		fmt.Fprintf(log, "round %d of %d, load %s\n", round+1, rounds, load())
		for _, row := range r.Rows {
			if row.measure.once && round > 0 {
				continue
			}
			for i := range sides {
				s := sides[(i+round)%len(sides)]
				if row.measure.alone && s != sides[0] {
					continue
				}
				if row.Error != "" && len(row.Ours)+len(row.Theirs) == 0 {
					continue // it never worked
				}
				before := s.processorTime()
				v, err := row.measure.run(ctx, s, round)
				used := s.processorTime() - before
				if ctx.Err() != nil {
					return
				}
				switch {
				case err != nil:
					row.Error = fmt.Sprintf("%s: %v", s.name, err)
				case s == sides[0]:
					row.Ours = append(row.Ours, v)
					row.OursCPU += used
				default:
					row.Theirs = append(row.Theirs, v)
					row.TheirsCPU += used
				}
			}
		}
	}
}

// ratio is ours divided by theirs, of the medians; 0 if a side is missing.
func (r *row) ratio() float64 {
	if len(r.Ours) == 0 || len(r.Theirs) == 0 {
		return 0
	}
	return median(r.Ours) / median(r.Theirs)
}

// verdict says in a word how the row stands to its budget.
func (r *row) verdict() string {
	switch {
	case len(r.Ours) == 0:
		return "not measured"
	case r.Limit > 0 && median(r.Ours) <= r.Limit, r.Budget > 0 && r.ratio() > 0 && r.ratio() <= r.Budget:
		return "kept"
	case r.Limit > 0:
		return fmt.Sprintf("MISSED by %.2f", median(r.Ours)/r.Limit)
	case r.Budget > 0 && r.ratio() > 0:
		return fmt.Sprintf("MISSED by %.2f", r.ratio()/r.Budget)
	}
	return ""
}

// median is the middle value, or the mean of the two in the middle.
func median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	if n == 0 {
		return 0
	}
	return (v[(n-1)/2] + v[n/2]) / 2
}

// table prints the medians, the least and the most of each side, and the ratios.
func (r *report) table(w io.Writer) error {
	fmt.Fprintf(w, "load %s before, %s after\n\n", r.LoadBefore, r.LoadAfter)
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "what\tours\t(range)\ttheirs\t(range)\tratio\tcpu ratio\tbudget\tverdict")
	cell := func(u unit, v []float64) string {
		if len(v) == 0 {
			return "-\t"
		}
		return u.format(median(v)) + "\t" + u.format(slices.Min(v)) + "…" + u.format(slices.Max(v))
	}
	for _, row := range r.Rows {
		ratio := "-"
		if q := row.ratio(); q != 0 {
			ratio = strconv.FormatFloat(q, 'f', 2, 64)
		}
		cpu := "-"
		if row.Unit == seconds && row.TheirsCPU > 0 {
			cpu = strconv.FormatFloat(row.OursCPU/row.TheirsCPU, 'f', 2, 64)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", row.Name, cell(row.Unit, row.Ours), cell(row.Unit, row.Theirs), ratio, cpu, row.measure.budgetText(), row.verdict())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, row := range r.Rows {
		if row.Error != "" {
			fmt.Fprintf(w, "\n%s: %s\n", row.Name, row.Error)
		}
	}
	return nil
}

func (r *report) writeJSON(file string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o644)
}

// load is the machine's load averages.
func load() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	f := strings.Fields(string(data))
	return strings.Join(f[:min(3, len(f))], " ")
}

// resident is the resident memory of a process in bytes.
func resident(pid int) (float64, error) {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0, fmt.Errorf("resident memory is known on Linux alone: %w", err)
	}
	return parseResident(string(data))
}

// ticks is the unit of the times in /proc/PID/stat, a hundredth of a second on
// every Linux that Go runs on (man 5 proc_pid_stat).
const ticks = 100

// processorTime is the user and system time of a process in seconds; 0 where it
// is not known.
func processorTime(pid int) float64 {
	data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	return parseTimes(string(data))
}

// parseTimes reads the fields 14 and 15 of /proc/PID/stat. The second field is a
// name in parentheses, in which anything may be.
func parseTimes(stat string) float64 {
	f := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(f) < 13 {
		return 0
	}
	user, err1 := strconv.ParseFloat(f[11], 64)
	system, err2 := strconv.ParseFloat(f[12], 64)
	if err1 != nil || err2 != nil {
		return 0
	}
	return (user + system) / ticks
}

// parseResident reads the line VmRSS of /proc/PID/status, which is in KiB
// (man 5 proc_pid_status).
func parseResident(status string) (float64, error) {
	for line := range strings.Lines(status) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 64)
			return kib * 1024, err
		}
	}
	return 0, fmt.Errorf("the process's status has no line VmRSS")
}
