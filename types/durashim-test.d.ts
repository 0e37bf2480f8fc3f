// Types of the module "durashim:test", which tests that run under `durashim test`
// can import. Name this file in the tsconfig.json of the project ("include"), by the
// path to a clone of the repository, as examples/inventory/tsconfig.json does, or in
// a test:
//
//   /// <reference path="../../durashim/types/durashim-test.d.ts" />
//
// Of a project in Go, `go list -m -f {{.Dir}} github.com/durashim/durashim` prints the
// directory of the version that it uses; copy the file from there.

declare module "durashim:test" {
  /** Where and how often a fault acts; without anything: once, on the first attempt of any call. */
  export interface Where {
    /** The name of a binding, or of a class for ctx.exports. */
    namespace?: string;
    /** The object's name, or its id in hex. */
    object?: string;
    /** The method; "fetch" for stub.fetch(). */
    method?: string;
    /** Who calls: the name of a worker (a test file is one, by its path), or "go". */
    caller?: string;
    /** The n-th call that matches, from 1, counted from when the plan is made. */
    call?: number;
    /** The n-th attempt of a call; 1 is the first, 11 the last that there can be. */
    attempt?: number;
    /** How often it acts; Infinity: until faults.clear(). */
    times?: number;
    /** For so many milliseconds from the first time that it acts. */
    for?: number;
    /** With which probability it acts on an attempt that matches; greater than 0, at most 1. */
    probability?: number;
  }

  /** Plans one failure. A plan that can never act is a TypeError. */
  export type Fault = (where?: Where) => void;
  /** Plans one failure that takes a time in milliseconds. */
  export type TimedFault = (ms: number, where?: Where) => void;

  export const faults: {
    /** The connection is refused: the object never sees the request, and the caller knows. */
    readonly refuseRequest: Fault;
    /** The connection breaks before the object saw the request. */
    readonly dropRequest: Fault;
    /** The connection breaks when the method has started; the method goes on. */
    readonly dropConnection: Fault;
    /** The connection breaks when the method has finished and its writes are durable. */
    readonly dropReply: Fault;
    /** The request arrives late. */
    readonly delayRequest: TimedFault;
    /** The reply arrives late. */
    readonly delayReply: TimedFault;
    /** The call is turned away with the property overloaded. */
    readonly overload: Fault;
    /** The object is reset when the call has arrived in it. */
    readonly abortBefore: Fault;
    /** The object is reset after the method's first turn; unconfirmed writes are lost. */
    readonly abortDuring: Fault;
    /** The object is reset when the method has finished; its writes are kept. */
    readonly abortAfter: Fault;
    /** The host dies when the call has arrived, with all objects of the namespace that it has. */
    readonly crashBefore: Fault;
    /** The host dies after the method's first turn; unconfirmed writes are lost. */
    readonly crashDuring: Fault;
    /** The host dies when the method has finished; its writes are kept. */
    readonly crashAfter: Fault;
    /** What the method writes cannot be made durable: the object is reset. */
    readonly failWrite: Fault;
    /** The object's storage does not answer for so long. */
    readonly storageUnavailable: TimedFault;
    /** An idle object leaves memory before the request arrives. */
    readonly evictBefore: Fault;
    /** The request arrives twice. */
    readonly duplicate: Fault;
    /** Ends all plans. Those that never acted still fail the test. */
    clear(): void;
  };

  export const clock: {
    /** The present time in milliseconds. */
    readonly now: number;
    /** Moves the virtual clock and runs what falls due on the way. */
    advance(ms: number): Promise<void>;
  };

  /**
   * Removes an object from memory, gracefully: its storage stays, its stubs go on
   * working. The result is false when it was busy or not in memory.
   */
  export function evict(stub: object): Promise<boolean>;

  /** What happened to one call. */
  export interface Call {
    /** The call in one line, such as INVENTORY("main").addOne("apple"). */
    readonly call: string;
    readonly namespace: string;
    /** The object's name; "" if it was reached by its id. */
    readonly object: string;
    readonly id: string;
    readonly method: string;
    readonly caller: string;
    /** Which of the calls and fetches of its request it is, from 1; retries do not count. */
    readonly subrequest: number;
    readonly attempts: number;
    /** How often the method was entered. */
    readonly runs: number;
    /** How many faults acted on it. */
    readonly faults: number;
    readonly outcome:
      | "pending" | "succeeded" | "failed" | "recovered" | "claim rejected" | "attempts exhausted"
      | "retry budget exhausted" | "unable to retry" | "cancelled" | "other";
    readonly error: string | null;
    /** Not null when the application makes a call again that the platform has retried already. */
    readonly repeats: {
      /** The number of the first of these calls on the timeline. */
      readonly first: number;
      /** Which of them this one is; that after the first is 2. */
      readonly round: number;
      /** How many attempts each call may have. */
      readonly attemptsPerCall: number;
      /** Where the script makes the call; "" if that is not known. */
      readonly site: string;
    } | null;
  }

  /** A stub in the result of a call that nobody disposed of by the end of the request that got it. */
  export interface UndisposedStub {
    /** The worker and its export whose code received it. */
    readonly worker: string;
    readonly export: string;
    /** The call in whose result it came, such as CARTS("ann").open(). */
    readonly call: string;
    /** Where in the result it was, such as .items[0]; "" if it is the result. */
    readonly position: string;
    /** It was made of that one by dup(). */
    readonly duplicate: boolean;
  }

  /** The stubs that requests have not disposed of, of those that are over. Objects may keep theirs. */
  export function undisposed(): UndisposedStub[];

  export const timeline: {
    /** All calls, in the order in which they started. */
    calls(): Call[];
    /** The steps of all calls, for people. */
    text(): string;
  };
}
