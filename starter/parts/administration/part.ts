import type { Part } from '../../core/part.ts'
import { Database } from '../../core/database/database.ts'
import { COMMANDS } from './account-commands.ts'
import { takeTurn } from './acts.ts'
import { ADMINISTRATORS_HOLD_FACTOR } from './factor-rule.ts'
import { countAdministrators, keepingAnAdministrator } from './last-administrator.ts'
import { migration } from './migration.ts'
import { admin, setUp } from './module.ts'
import { NewFactors } from './new-factors.ts'
import { ADMINISTRATOR } from './permission.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'set-up-link-made': true
    'account-set-up': true
    'account-disabled': true
    'account-enabled': true
    'account-sessions-ended': true
    'all-sessions-ended': true
    'permission-granted': true
    'permission-withdrawn': true
    'factors-reset': true
  }
}

declare module '../../core/mail/notices.ts' {
  interface NoticeValues {
    readonly 'account-disabled': null
    readonly 'account-enabled': null
    readonly 'sessions-ended-by-administrator': null
    /** An administrator removed the factors. */
    readonly 'factors-reset': null
  }
}

declare module '../../core/mail/mails.ts' {
  interface PartMails {
    'set-up': true
  }
}

/** The administration of the accounts: pages, commands, and the links with which owners set up accounts that were added for them. */
export const administration: Part = {
  name: 'administration',
  modules: () => [admin, setUp],
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  migration,
  expiring: ['set_up_link'],
  events: [
    'set-up-link-made',
    'account-set-up',
    'account-disabled',
    'account-enabled',
    'account-sessions-ended',
    'all-sessions-ended',
    'permission-granted',
    'permission-withdrawn',
    'factors-reset',
  ],
  noticesOfOthers: {
    'account-disabled': 'done',
    'account-enabled': 'done',
    'factors-reset': 'asked',
    'sessions-ended-by-administrator': 'done',
  },
  factorRules: [ADMINISTRATORS_HOLD_FACTOR],
  demands: NewFactors,
  leaving: async (transaction, leave) => {
    await takeTurn(transaction)
    return keepingAnAdministrator(transaction, leave)
  },
  finding: async (app) =>
    (await countAdministrators(app.get(Database))) === 0
      ? 'there is no administrator: run "npm start -- add EMAIL --name NAME --administrator --reason TEXT"'
      : undefined,
  commands: COMMANDS,
  permissions: ADMINISTRATOR,
  slots: { navigation: ['administration::navigation'] },
}
