package core

// Queue is a first-in first-out list of packets, linked through them. The zero value is empty.
type Queue struct{ head, tail *Packet }

// Empty reports whether there is no packet.
func (l *Queue) Empty() bool { return l.head == nil }

// Push appends p.
func (l *Queue) Push(p *Packet) {
	p.next = nil
	if l.head == nil {
		l.head = p
	} else {
		l.tail.next = p
	}
	l.tail = p
}

// Front returns the first packet, or nil.
func (l *Queue) Front() *Packet { return l.head }

// Pop removes and returns the first packet, or nil.
func (l *Queue) Pop() *Packet {
	p := l.head
	if p != nil {
		l.head = p.next
	}
	return p
}

// All visits the packets of the list, the first one first.
func (l *Queue) All(visit func(p *Packet)) {
	for p := l.head; p != nil; p = p.next {
		visit(p)
	}
}

// Stack is a last-in first-out list of packets, linked through them. The zero value is empty.
type Stack struct{ head *Packet }

// Push puts p on top.
func (l *Stack) Push(p *Packet) {
	p.next = l.head
	l.head = p
}

// TakeAll empties the stack and returns the packet that was on top, or nil.
func (l *Stack) TakeAll() *Packet {
	p := l.head
	l.head = nil
	return p
}

// Front returns the packet on top, or nil.
func (l *Stack) Front() *Packet { return l.head }

// Below returns the packet below p in its stack, or nil.
func (p *Packet) Below() *Packet { return p.next }
