// Command matrix makes every kind of call meet every fault at every attempt, and
// prints what becomes of it:
//
//	go run ./internal/matrix
//	go run ./internal/matrix -html matrix.html   # pictures of the calls that can be retried
//
// An empty place names its reason. The tests of this package hold every place
// against the rules of automatic retries.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/durashim/durashim/durable"
	"github.com/durashim/durashim/internal/sched"
	"github.com/durashim/durashim/internal/timelinehtml"
)

func main() {
	page := flag.String("html", "", "write pictures of the calls that can be retried to this file")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *page); err != nil {
		fmt.Fprintln(os.Stderr, "matrix:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, page string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "call\tmethod\tkind of call\tfault\tat attempt\tattempts\truns\toutcome\terror")
	var pictures []timelinehtml.Section
	for _, c := range cells() {
		res, rec, err := c.run(ctx)
		if err != nil {
			return err
		}
		mark := "unmarked"
		if c.marked {
			mark = "marked"
		}
		fmt.Fprintf(w, "%v\t%s\t%s\t%v\t%d\t", c.kind, mark, c.call, c.fault.Point(), c.attempt)
		if res.na != "" {
			fmt.Fprintf(w, "\t\tn/a\t%s\n", res.na)
			continue
		}
		fmt.Fprintf(w, "%d\t%d\t%v\t%s\n", res.attempts, res.runs, res.outcome, res.err)
		if c.call == eligible && c.kind == durable.RPC {
			pictures = append(pictures, timelinehtml.Section{Title: c.String(), Calls: []durable.CallRecord{rec}, Epoch: sched.Epoch})
		}
	}
	if err := w.Flush(); err != nil || page == "" {
		return err
	}
	f, err := os.Create(page)
	if err != nil {
		return err
	}
	err = timelinehtml.WriteSections(f, pictures)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
