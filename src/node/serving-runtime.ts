import { createServer } from 'node:http'

/** The time limits that `node:http` keeps for `serve()`, in milliseconds. */
export const TIME_LIMITS = {
  headersTimeout: 10_000,
  // The time of a body is counted where it is read, so that a refusal is the application's.
  requestTimeout: 0,
  connectionsCheckingInterval: 1000,
} as const

/** What can be known about a runtime before it serves. */
export interface RuntimeFacts {
  /** Versions by name, as in `process.versions`. */
  readonly versions: Readonly<Record<string, string | undefined>>
  /** Makes a server like that of `node:http`. */
  readonly createServer: (limits: typeof TIME_LIMITS) => { readonly headersTimeout: number }
}

// What `engines` of the package says.
const OLDEST_NODE = { major: 22, minor: 18 }

// Their servers accept every option: only tests show what they do with it.
const OTHER_RUNTIMES = [
  {
    key: 'bun',
    name: 'Bun',
    own: 'Bun.serve()',
    difference: 'it forgets the address of a client that disconnects',
  },
  {
    key: 'deno',
    name: 'Deno',
    own: 'Deno.serve()',
    difference: 'it does not limit the size of chunk extensions',
  },
] as const

/**
 * Checks whether `serve()` keeps its promises on a runtime.
 *
 * @param facts What is known about the runtime.
 * @returns What it does not keep there and what to do instead; null if it keeps all of them.
 * @throws {Error} If it cannot keep its time limits, or the version of Node is too old.
 */
export function differenceOf({ versions, createServer }: RuntimeFacts): string | null {
  assertTimeLimits(createServer)
  const other = OTHER_RUNTIMES.find(({ key }) => versions[key] !== undefined)
  if (other === undefined) {
    assertNode(versions['node'])
    return null
  }
  const { key, name, difference, own } = other
  return `serve() does not keep all its promises on ${name} ${versions[key]}: ${difference}. Pass app.fetch to ${own} instead`
}

/**
 * Checks this runtime, and emits a warning if `serve()` does not keep all its promises on it.
 *
 * @throws {Error} If it cannot keep its time limits, or the version of Node is too old.
 */
export function checkRuntime(): void {
  const difference = differenceOf({ versions: process.versions, createServer })
  if (difference !== null) process.emitWarning(difference, { code: 'SALLYPORT_OTHER_RUNTIME' })
}

function assertTimeLimits(create: RuntimeFacts['createServer']): void {
  let cause: unknown
  try {
    if (create(TIME_LIMITS).headersTimeout === TIME_LIMITS.headersTimeout) return
  } catch (error) {
    cause = error
  }
  throw new Error(
    'Cannot serve here: node:http of this runtime has no time limits. Pass app.fetch to its own server instead',
    { cause },
  )
}

function assertNode(version = ''): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor)) return
  throw new Error(
    `Cannot serve on Node ${version}: install Node ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or later`,
  )
}
