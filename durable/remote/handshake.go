package remote

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/durashim/durashim/internal/random"
	"github.com/durashim/durashim/internal/sched"
)

// MinKey is the shortest key that is accepted, in bytes.
const MinKey = 16

// Version is the version of the protocol. Both ends must have the same one.
const Version = 3

var magic = []byte("DURASHIM")

const (
	nonceLen = 32
	helloLen = 8 + 2 + nonceLen
	// maxIntro is the largest introduction: what a side says along with its proof.
	maxIntro = 256 << 10
)

// NamespaceID names a namespace so that both ends mean the same objects.
type NamespaceID struct {
	Worker string // the service's name in the configuration
	Class  string
	Key    string // what the ids are derived from
}

// introduction is what a client says of itself.
type introduction struct {
	client     [16]byte // drawn once for each client
	generation uint64   // of the connection, from 1
	project    string
	namespaces []NamespaceID
	faults     bool // it will ask for faults inside the objects
}

func (i *introduction) encode() []byte {
	var e encoder
	e.raw(i.client[:])
	e.uint(i.generation)
	e.string(i.project)
	e.uint(uint64(len(i.namespaces)))
	for _, n := range i.namespaces {
		e.string(n.Worker)
		e.string(n.Class)
		e.string(n.Key)
	}
	e.bool(i.faults)
	return e.b
}

func decodeIntroduction(b []byte) (*introduction, error) {
	d := &decoder{b: b}
	i := &introduction{}
	copy(i.client[:], d.raw(uint64(len(i.client))))
	i.generation = d.uint()
	i.project = d.string()
	for range d.count() {
		i.namespaces = append(i.namespaces, NamespaceID{d.string(), d.string(), d.string()})
	}
	i.faults = d.bool()
	return i, d.end()
}

// welcome is what a server says of itself: why it refuses, or that it does not.
type welcome struct {
	refused     string
	incarnation uint64
	faults      bool // it carries out faults inside the objects
}

func (w *welcome) encode() []byte {
	var e encoder
	e.string(w.refused)
	e.uint(w.incarnation)
	e.bool(w.faults)
	return e.b
}

func decodeWelcome(b []byte) (*welcome, error) {
	d := &decoder{b: b}
	w := &welcome{refused: d.string(), incarnation: d.uint(), faults: d.bool()}
	return w, d.end()
}

// refusal is why a host will not have the client. Trying again does not help.
type refusal struct{ text string }

func (e *refusal) Error() string { return e.text }

// Is makes errors.Is know [ErrRefused].
func (e *refusal) Is(target error) bool { return target == ErrRefused }

// ErrRefused is what errors.Is finds in the errors of a peer that will not have
// this side, whenever it is asked again: another key, another project, another
// version, or an address that is neither loopback nor private.
var ErrRefused = errors.New("refused")

// hello is the first thing that each side sends: magic, version, nonce.
func hello(r *random.Source) []byte {
	b := make([]byte, helloLen)
	copy(b, magic)
	binary.BigEndian.PutUint16(b[8:], Version)
	_, _ = r.Read(b[10:]) // never fails
	return b
}

func readHello(r io.Reader, peer string) ([]byte, error) {
	b := make([]byte, helloLen)
	if _, err := io.ReadFull(r, b[:10]); err != nil {
		return nil, err
	}
	if !bytes.Equal(b[:8], magic) {
		return nil, &refusal{"what listens there is no durashim " + peer}
	}
	if v := binary.BigEndian.Uint16(b[8:]); v != Version {
		return b[:10], &refusal{fmt.Sprintf("the %s speaks version %d of the protocol, this side version %d: run the same version of durashim on both", peer, v, Version)}
	}
	_, err := io.ReadFull(r, b[10:])
	return b, err
}

// proof is what a side sends to show that it has the key: both hellos, so that no
// proof fits another connection, and what it says of itself. said is what the
// other side has said before, so that the two belong together.
func proof(key []byte, role string, client, server, said, says []byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, part := range [][]byte{[]byte("durashim remote " + role), client, server, said, says} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write(part)
	}
	return h.Sum(nil)
}

// writeProven sends what a side says of itself with its proof.
func writeProven(w io.Writer, mac, says []byte) error {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(says)))
	b = append(b, mac...)
	_, err := w.Write(append(b, says...))
	return err
}

func readProven(r io.Reader) (mac, says []byte, err error) {
	var head [4 + sha256.Size]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxIntro {
		return nil, nil, badPeer("an introduction of %d bytes", n)
	}
	// It grows with what arrives: nothing is known of the peer yet.
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, int64(n)); err != nil {
		return nil, nil, midFrame(err)
	}
	return head[4:], b.Bytes(), nil
}

// greetAsClient is the client's half of the handshake.
func greetAsClient(rw io.ReadWriter, key []byte, r *random.Source, s sched.Scheduler, intro *introduction) (*welcome, time.Time, error) {
	mine := hello(r)
	if _, err := rw.Write(mine); err != nil {
		return nil, time.Time{}, err
	}
	theirs, err := readHello(rw, "host")
	if err != nil {
		return nil, time.Time{}, err
	}
	says := intro.encode()
	epoch := s.Now()
	if err := writeProven(rw, proof(key, "client", mine, theirs, nil, says), says); err != nil {
		return nil, time.Time{}, err
	}
	mac, said, err := readProven(rw)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, time.Time{}, err
	} else if err != nil {
		return nil, time.Time{}, err
	}
	if !hmac.Equal(mac, proof(key, "server", mine, theirs, says, said)) {
		return nil, time.Time{}, &refusal{"the key is not the host's"}
	}
	w, err := decodeWelcome(said)
	if err != nil {
		return nil, time.Time{}, err
	}
	if w.refused != "" {
		return nil, time.Time{}, &refusal{w.refused}
	}
	return w, epoch, nil
}

// greeted is what a server knows after the handshake.
type greeted struct {
	intro *introduction
	// The client's epoch was between these moments.
	notBefore, notAfter time.Time
	incarnation         uint64 // that the client was told
}

// errKey says that a client has not shown that it has the key.
var errKey = errors.New("remote: the client's key is not the host's")

// greetAsServer is the server's half. judge looks at the introduction and gives
// the answer; it is not called for a client without the key.
func greetAsServer(rw io.ReadWriter, key []byte, r *random.Source, s sched.Scheduler, judge func(*introduction) welcome) (*greeted, error) {
	mine := hello(r)
	theirs, err := readHello(rw, "client")
	var refused *refusal
	if errors.As(err, &refused) && theirs != nil {
		// So that the client can say which versions there are.
		_, _ = rw.Write(mine)
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	g := &greeted{notBefore: s.Now()}
	if _, err := rw.Write(mine); err != nil {
		return nil, err
	}
	mac, said, err := readProven(rw)
	if err != nil {
		return nil, err
	}
	g.notAfter = s.Now()
	if !hmac.Equal(mac, proof(key, "client", theirs, mine, nil, said)) {
		// A proof that is none tells the client, and nobody else, why.
		_ = writeProven(rw, make([]byte, sha256.Size), nil)
		return nil, errKey
	}
	if g.intro, err = decodeIntroduction(said); err != nil {
		return nil, err
	}
	w := judge(g.intro)
	g.incarnation = w.incarnation
	says := w.encode()
	if err := writeProven(rw, proof(key, "server", theirs, mine, said, says), says); err != nil {
		return nil, err
	}
	if w.refused != "" {
		return nil, &refusal{w.refused}
	}
	return g, nil
}
