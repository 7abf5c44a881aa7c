/** What staff decide about proposals in the form, and when a rejection is sent. */
import type { Child } from '@haris/contract/objects';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRejection } from '../proposals/use-decision.ts';
import { NOBODY, withId } from './id-set.ts';

/** Time in which "Not this child" can be undone; the rejection is sent after it. Milliseconds. */
const UNDO_REJECTION_MS = 8_000;

/**
 * Children whom staff rejected in this form, and the revisions that are decided: the family in memory may still contain
 * them. A rejection deletes the family's photo, so it is sent only after it could be undone, at the latest when the form
 * is left or sent.
 */
export function useDecisions() {
  const [decided, setDecided] = useState<ReadonlySet<string>>(NOBODY);
  const [rejected, setRejected] = useState<ReadonlySet<string>>(NOBODY);
  const waiting = useRef(new Map<string, { readonly child: Child; readonly timer: number }>());
  const send = useRejection();

  const drop = (id: string) => {
    const held = waiting.current.get(id);
    window.clearTimeout(held?.timer);
    waiting.current.delete(id);
  };
  const settle = ({ _id, proposal }: Child) => {
    drop(_id);
    setRejected((known) => withId(known, _id, false));
    if (proposal) setDecided((known) => withId(known, proposal.revision, true));
  };
  const sendOne = (id: string) => {
    const child = waiting.current.get(id)?.child;
    if (child === undefined) return;
    settle(child);
    void send(child);
  };
  const sendLater = (child: Child) => {
    drop(child._id);
    const timer = window.setTimeout(() => sendOne(child._id), UNDO_REJECTION_MS);
    waiting.current.set(child._id, { child, timer });
  };
  const sendRejections = () => {
    for (const id of [...waiting.current.keys()]) sendOne(id);
  };
  const sendAtEnd = useEffectEvent(sendRejections);
  useEffect(() => () => sendAtEnd(), []);

  return {
    decided,
    rejected,
    settle,
    reject(child: Child) {
      sendLater(child);
      setRejected((known) => withId(known, child._id, true));
    },
    hold: (id: string) => window.clearTimeout(waiting.current.get(id)?.timer),
    resume(id: string) {
      const held = waiting.current.get(id);
      if (held !== undefined) sendLater(held.child);
    },
    takeBack(id: string) {
      drop(id);
      setRejected((known) => withId(known, id, false));
    },
    sendRejections,
  };
}
