// Package conformance runs test suites in workerd's format and says, case by
// case, where two runtimes agree.
//
// A suite is a folder with .wd-test files: Cap'n Proto text configurations whose
// workers export objects with a test(controller, env, ctx) method. A case is one
// such export; its id is the file's path without extension, a colon, and the
// export:
//
//	kv/basics:getMissing
//
// [InProcess] runs a file in this process, [Binary] on any program that speaks
// workerd's test protocol (its command `test`). [Run] runs many files at once,
// [Compare] puts the results of two runtimes side by side, and [Judge] holds
// them against the list of known differences, which is checked both ways: a
// failure that is not listed is wrong, and so is a listed case that passes. A
// [Report] writes the outcome for people and for machines: a summary, a page
// (HTML), a table (Markdown), JSON and JUnit XML.
//
// The project's own suite is in the folder cases, its known differences in
// differences.jsonc. `go test ./conformance` runs it in this process; with the
// environment variable DURASHIM_WORKERD set to the real binary it also compares
// with that.
package conformance
