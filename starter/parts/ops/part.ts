import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { StartupError } from 'sallyport-app/settings'
import type { Command } from '../../core/commands/command.ts'
import type { Part } from '../../core/part.ts'
import { OPS_NAME, OpsCredentials } from './ops-credentials.ts'
import { OpsErrors } from './ops-errors.ts'
import { OpsGate } from './ops-gate.ts'
import { StatusController } from './status-controller.ts'
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
   * Whether plain HTTP from this machine will do, for development. Behind a proxy on the same machine every client seems to come from it.
   */
  readonly allowsLoopback: boolean
}

// For operators, apart from the accounts: they get in when nobody can sign in. A browser sends Basic credentials by itself, as it
// sends cookies, so the form has a CSRF token like any other.
const module: ModuleDefinition = defineModule('Ops', (declared) =>
  declared
    .mount('ops')
    .withoutConventionRouting()
    .errors(OpsErrors)
    .controllers(StatusController)
    .middleware(OpsGate, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [StatusController, 'index']).name('status')
      routes.post('/mails/retry', [StatusController, 'retryPost']).name('retry')
    }),
)

const opsPassword: Command = {
  usage: 'ops-password',
  summary: 'makes a password for the pages of operators at /ops, and prints what to set OPS_HASH to',
  words: [0, 0],
  async run() {
    const { password, hash } = OpsCredentials.create()
    return [
      'Set this, and start again:',
      `  OPS_HASH=${hash}`,
      'Then /ops asks for this name and password, over HTTPS. They are shown once:',
      `  ${OPS_NAME}`,
      `  ${password.reveal()}`,
    ].join('\n')
  },
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
    try {
      // Created only to validate.
      void new OpsCredentials(hash)
    } catch (cause) {
      throw new StartupError('OPS_HASH must be what "npm start -- ops-password" prints behind it', { cause })
    }
    // On a development machine there is no HTTPS.
    const settings = { operations: { hash, allowsLoopback: !isProduction } }
    return { settings, switchedOn: '/ops (OPS_HASH)' }
  },
  inspected: () => ({ operations: { hash: OpsCredentials.create().hash, allowsLoopback: false } }),
  commands: { 'ops-password': opsPassword },
}
