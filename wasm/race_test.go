//go:build race

package wasm

func init() { raceDetector = true }
