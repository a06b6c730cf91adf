import type { Part } from '../../core/part.ts'
import { StartupError } from '../../core/boot/startup-error.ts'
import module from './module.ts'
import { OpsCredentials } from './ops-credentials.ts'
import { opsPassword } from './ops-password.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'ops-refused': true
  }
}

declare module '../../core/settings.ts' {
  interface Settings {
    /** How operators get into `/ops`; undefined where there is no such page. */
    readonly operations?: OperationsOptions
  }
}

/** How operators get in. */
interface OperationsOptions {
  /** What `npm start -- ops-password` printed. */
  readonly hash: string
  /**
   * Whether plain HTTP from this machine will do, for development. Behind a proxy on the same machine every client seems to come
   * from it.
   */
  readonly allowsLoopback: boolean
}

/** A page for operators, apart from the accounts, where `OPS_HASH` is set. */
export const ops: Part = {
  name: 'ops',
  modules: ({ operations }) => (operations === undefined ? [] : [module]),
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  events: ['ops-refused'],
  environment: (variables, isProduction) => {
    const hash = variables.OPS_HASH
    if (hash === undefined || hash === '') return undefined
    assertPrinted(hash)
    // On a development machine there is no HTTPS.
    const settings = { operations: { hash, allowsLoopback: !isProduction } }
    return { settings, switchedOn: '/ops (OPS_HASH)' }
  },
  inspected: () => ({ operations: { hash: OpsCredentials.create().hash, allowsLoopback: false } }),
  commands: { 'ops-password': opsPassword },
}

function assertPrinted(hash: string): void {
  try {
    // Created only to validate.
    void new OpsCredentials(hash)
  } catch (cause) {
    throw new StartupError('OPS_HASH must be what "npm start -- ops-password" prints behind it', { cause })
  }
}
