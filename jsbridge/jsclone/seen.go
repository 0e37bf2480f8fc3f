package jsclone

import (
	"unsafe"

	"github.com/dop251/goja"
)

// seenObjects finds the numbers of objects that have been written. Most messages
// hold few objects, which are looked up by going through a list; for more there
// is a hash table by address. Go does not move objects, and the list keeps them
// alive.
type seenObjects struct {
	list  []seenObject
	table []uint32 // places in list, plus 1; a power of two, at most half full
}

type seenObject struct {
	obj *goja.Object
	id  uint32
}

// listedObjects is how many objects are looked up without a table.
const listedObjects = 12

func (s *seenObjects) add(o *goja.Object, id uint32) {
	s.list = append(s.list, seenObject{o, id})
	n := len(s.list)
	if n <= listedObjects {
		return
	}
	if n*2 > len(s.table) || n == listedObjects+1 {
		s.rebuild()
		return
	}
	s.insert(n - 1)
}

func (s *seenObjects) insert(i int) {
	mask := uintptr(len(s.table) - 1)
	for h := hash(s.list[i].obj); ; h++ {
		if s.table[h&mask] == 0 {
			s.table[h&mask] = uint32(i + 1)
			return
		}
	}
}

// rebuild makes the table anew, with room to grow.
func (s *seenObjects) rebuild() {
	if size := max(len(s.table), 64); len(s.list)*2 > len(s.table) {
		for size < len(s.list)*4 {
			size *= 2
		}
		s.table = make([]uint32, size)
	} else {
		clear(s.table)
	}
	for i := range s.list {
		s.insert(i)
	}
}

func (s *seenObjects) lookup(o *goja.Object) (uint32, bool) {
	if len(s.list) <= listedObjects {
		for i := range s.list {
			if s.list[i].obj == o {
				return s.list[i].id, true
			}
		}
		return 0, false
	}
	mask := uintptr(len(s.table) - 1)
	for h := hash(o); ; h++ {
		i := s.table[h&mask]
		if i == 0 {
			return 0, false
		}
		if s.list[i-1].obj == o {
			return s.list[i-1].id, true
		}
	}
}

func hash(o *goja.Object) uintptr {
	h := uint64(uintptr(unsafe.Pointer(o))) * 0x9e3779b97f4a7c15
	return uintptr(h >> 32)
}

// reset forgets everything and keeps memory for the next message, unless that
// was a large one.
func (s *seenObjects) reset() {
	clear(s.list)
	s.list = s.list[:0]
	if cap(s.list) > 1<<14 {
		*s = seenObjects{}
	}
}
