/**
 * Applications that break every rule of a middleware, an action or a hook, drawn from a seed, and what must hold of them.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises'

import { type App, type HttpContext } from 'sallyport'
import { ForbiddenException, type Middleware, type Next } from 'sallyport/http'

import type { Answer } from '../../app/fixture.ts'
import { site } from '../../app/fixture.ts'
import type { Random } from '../paths/random.ts'

/** A fault of a generated part: each is its own object, so that it can be followed. */
export class Fault extends Error {}

/** What happened to the faults of one application. */
export class Ledger {
  readonly thrown: Set<Fault> = new Set()
  readonly handled: Set<unknown> = new Set()
  readonly heard: unknown[] = []

  /** A fault that is thrown now. */
  fault(where: string): Fault {
    const fault = new Fault(where)
    this.thrown.add(fault)
    return fault
  }
}

type Process = (context: HttpContext, next: Next) => unknown
type Make<T> = (ledger: Ledger) => T

const own = (): Response => new Response('own', { status: 202 })
// A middleware behind may break its contract, and give nothing.
const asMaybe = (response: Response): Response | null | undefined => response
const asAny = (value: unknown): Response => value as Response

const middlewares: Readonly<Record<string, Make<Process>>> = {
  pass: () => (_, next) => next(),
  wait: () => async (_, next) => await next(),
  answer: () => own,
  'answer async': () => async () => own(),
  drop: () => (_, next) => {
    void next()
    return own()
  },
  'drop async': () => async (_, next) => {
    void next()
    return own()
  },
  'drop, answer later': () => async (_, next) => {
    void next()
    await sleep(2)
    return own()
  },
  'then alone': () => (_, next) => {
    void next().then((response: Response | undefined) => response?.status)
    return own()
  },
  'finally alone': () => async (_, next) => {
    void next().finally(() => undefined)
    return own()
  },
  'wait elsewhere': () => async (_, next) => {
    void (async () => asMaybe(await next())?.status)()
    return own()
  },
  race: () => async (_, next) => Promise.race([next(), sleep(2).then(own)]),
  'late next': () => (_, next) => {
    setTimeout(() => void next(), 1)
    return own()
  },
  'twice, dropped': () => (_, next) => {
    void next()
    void next()
    return own()
  },
  'twice, awaited': () => async (_, next) => {
    await next()
    return next()
  },
  'twice, one returned': () => (_, next) => {
    const first = next()
    void next()
    return first
  },
  catch: (ledger) => async (_, next) => {
    try {
      return await next()
    } catch (error) {
      ledger.handled.add(error)
      return own()
    }
  },
  throw: (ledger) => () => {
    throw ledger.fault('middleware')
  },
  'throw after': (ledger) => async (_, next) => {
    await next()
    throw ledger.fault('middleware, after')
  },
  'throw beside': (ledger) => (_, next) => {
    void next()
    throw ledger.fault('middleware, beside')
  },
  read: () => async (_, next) => {
    const response = await next()
    // What never ends is not read to its end.
    await readSome(asMaybe(response))
    return response
  },
  lock: () => async (_, next) => {
    const response = await next()
    asMaybe(response)?.body?.getReader()
    return response
  },
  nothing: () => () => asAny(undefined),
  'nothing later': () => async (_, next) => {
    await next()
    return asAny(null)
  },
  text: () => () => asAny('text'),
  'no response': () => () => Response.error(),
  'bad header': () => () => new Response('x', { headers: { 'x-a': '\u0001' } }),
  thenable: () => () =>
    Object.defineProperty({}, 'then', { value: (resolve: (value: unknown) => void) => resolve(own()) }),
  'failing thenable': (ledger) => () =>
    Object.defineProperty({}, 'then', {
      value: (_: unknown, reject: (reason: unknown) => void) => reject(ledger.fault('thenable')),
    }),
  'other request': () => (_, next) => next(new Request('http://other.test/', { method: 'POST' })),
  'no request': () => (_, next) => next(asAny(42) as unknown as Request),
}

/** A constant that requests share. */
function shared(): () => Response {
  const response = new Response('shared')
  return () => response
}

const actions: Readonly<Record<string, Make<Answer>>> = {
  text: () => () => 'text',
  json: () => async () => ({ a: 1 }),
  nothing: () => () => undefined,
  response: () => () => new Response('response'),
  slow: () => async () => {
    await sleep(4)
    return 'slow'
  },
  throw: (ledger) => () => {
    throw ledger.fault('action')
  },
  reject: (ledger) => async () => {
    await Promise.resolve()
    throw ledger.fault('action, later')
  },
  'reject late': (ledger) => async () => {
    await sleep(6)
    throw ledger.fault('action, late')
  },
  'reject too late': (ledger) => async () => {
    await sleep(45)
    throw ledger.fault('action, after its time')
  },
  hang: () => () => new Promise(() => undefined),
  refuse: () => () => {
    throw new ForbiddenException()
  },
  'throw nothing': () => () => {
    // oxlint-disable-next-line typescript/only-throw-error
    throw undefined
  },
  shared: () => shared(),
  endless: () => () =>
    new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(10)) }, { highWaterMark: 0 })),
  'failing stream': (ledger) => () => new Response(failing(() => ledger.fault('stream'))),
  'stream of texts': () => () => new Response(failing(() => null)),
  'hanging stream': () => () =>
    new Response(new ReadableStream({ pull: () => new Promise(() => undefined) })),
  foreign: () => () => ({
    [Symbol.toStringTag]: 'Response',
    status: 200,
    headers: new Headers(),
    body: null,
  }),
  symbol: () => () => Symbol('answer'),
}

const outgoing: Readonly<Record<string, Make<(response: Response) => unknown>>> = {
  pass: () => (response) => response,
  header: () => (response) => {
    response.headers.set('x-out', '1')
    return response
  },
  read: () => async (response) => {
    await readSome(response)
    return response
  },
  throw: (ledger) => () => {
    throw ledger.fault('outgoing')
  },
  'throw later': (ledger) => async () => {
    await sleep(1)
    throw ledger.fault('outgoing, later')
  },
  nothing: () => () => undefined,
  shared: () => shared(),
  fresh: () => () => new Response('fresh'),
}

const hooks: Readonly<Record<string, Make<() => unknown>>> = {
  quiet: () => () => undefined,
  throw: (ledger) => () => {
    throw ledger.fault('hook')
  },
  reject: (ledger) => async () => {
    throw ledger.fault('hook, later')
  },
}

// Some bodies never give anything.
async function readSome(response: Response | null | undefined): Promise<void> {
  await Promise.race([response?.body?.getReader().read(), sleep(3)])
}

const BANDS = ['incoming', 'routed', 'module', 'route'] as const

/** An application, and how it was drawn. */
export interface Chaos {
  readonly app: App
  readonly ledger: Ledger
  readonly plan: readonly string[]
}

/**
 * Draws an application. Its first middleware writes the session, so that it can be told what an answer kept.
 *
 * @param random Decides everything.
 * @returns The application.
 */
export function draw(random: Random): Chaos {
  const ledger = new Ledger()
  const plan: string[] = []
  const pick = <T>(kind: string, from: Readonly<Record<string, Make<T>>>): T => {
    const name = random.pick(Object.keys(from))
    plan.push(`${kind}: ${name}`)
    const make = from[name]
    if (make === undefined) throw new RangeError(name)
    return make(ledger)
  }
  const byBand = new Map<string, Process[]>(BANDS.map((band) => [band, []]))
  for (let count = random.below(4); count > 0; count--) {
    const band = random.pick(BANDS)
    byBand.get(band)?.push(pick(band, middlewares))
  }
  const answer = pick('action', actions)
  const last = random.chance(0.4) ? pick('outgoing', outgoing) : null
  const terminate = random.chance(0.3) ? pick('terminate', hooks) : null
  const failsToHear = random.chance(0.2)
  const app = site(
    {
      'GET|POST|HEAD /': answer,
      'GET /kept': async (context) => ({ kept: (await context.session().get('n')) ?? null }),
    },
    {
      middlewares: [...(byBand.get('module') ?? []), ...(byBand.get('route') ?? [])].map(classOf),
      configure: (configured) => {
        configured.limits({ handlerMilliseconds: 30 })
        configured.onError((error) => {
          ledger.heard.push(error)
          if (failsToHear) throw new Error('the listener fails (expected in this test)')
        })
        const bands = configured.middleware()
        bands.incoming({ process: write }, { priority: -1 })
        for (const process of byBand.get('incoming') ?? [])
          bands.incoming({ process: onTrial(process) as never })
        for (const process of byBand.get('routed') ?? []) bands.routed({ process: onTrial(process) as never })
        if (last !== null) bands.outgoing({ process: last as never }, { when: isTrial })
        if (terminate !== null)
          configured.onTerminate((context) => (isTrial(context) ? terminate() : undefined) as void)
      },
    },
  )
  return { app, ledger, plan }
}

const isTrial = (context: HttpContext): boolean => context.path() === '/'

async function write(context: HttpContext, next: Next): Promise<Response> {
  if (isTrial(context)) await context.session().set('n', context.query())
  return next()
}

function onTrial(process: Process): Process {
  return (context, next) => (isTrial(context) ? process(context, next) : next())
}

function classOf(process: Process): new () => Middleware {
  class Generated implements Middleware {
    process(...given: Parameters<Process>): Response {
      return onTrial(process)(...given) as Response
    }
  }
  return Generated as new () => Middleware
}

function failing(fault: () => Fault | null): ReadableStream<Uint8Array> {
  let parts = 0
  return new ReadableStream<Uint8Array>(
    {
      pull(to) {
        if (parts++ === 0) return to.enqueue(new Uint8Array(3))
        const given = fault()
        if (given === null) to.enqueue('text' as unknown as Uint8Array)
        else to.error(given)
      },
    },
    { highWaterMark: 0 },
  )
}
