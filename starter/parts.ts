import type { Part } from './core/part.ts'
import { activity } from './parts/activity/part.ts'
import { addressChange } from './parts/address-change/part.ts'
import { administration } from './parts/administration/part.ts'
import { administrationApi } from './parts/administration-api/part.ts'
import { api } from './parts/api/part.ts'
import { deletion } from './parts/deletion/part.ts'
import { factorRules } from './parts/factor-rules/part.ts'
import { help } from './parts/help/part.ts'
import { hotp } from './parts/hotp/part.ts'
import { lostFactor } from './parts/lost-factor/part.ts'
import { mailCodes } from './parts/mail-codes/part.ts'
import { objection } from './parts/objection/part.ts'
import { ops } from './parts/ops/part.ts'
import { passkeySignUp } from './parts/passkey-sign-up/part.ts'
import { passkeys } from './parts/passkeys/part.ts'
import { profile } from './parts/profile/part.ts'
import { reminders } from './parts/reminders/part.ts'
import { sessionList } from './parts/sessions/part.ts'
import { signInLink } from './parts/sign-in-link/part.ts'
import { trustedBrowsers } from './parts/trusted-browsers/part.ts'
import { unlock } from './parts/unlock/part.ts'
import { writtenPages } from './parts/written-pages/part.ts'

/** The parts of this application: the only file that names them. A part is removed by deleting its folder and its line. */
export const PARTS: readonly Part[] = [
  // One a line, in the order of their lines in menus.
  sessionList,
  activity,
  addressChange,
  administration,
  administrationApi,
  api,
  deletion,
  factorRules,
  help,
  hotp,
  lostFactor,
  mailCodes,
  objection,
  ops,
  signInLink,
  passkeys,
  passkeySignUp,
  profile,
  reminders,
  trustedBrowsers,
  unlock,
  writtenPages,
]
