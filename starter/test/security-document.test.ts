import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { RESET_SECONDS } from '../identity/recovery/password-reset.ts'
import { AuditEvent } from '../identity/audit/audit-trail.ts'
import { HOTP_LOOK_AHEAD } from '../identity/factors/hotp-code.ts'
import { RECOVERY_CODES } from '../identity/factors/recovery-codes.ts'
import { DEFAULT_PAST_SECONDS, TOTP_PERIOD_SECONDS } from '../identity/factors/totp-code.ts'
import { CLIENT_LIMIT, PASSWORD_LIMIT } from '../identity/limits/limits.ts'
import {
  ENROLLMENT_MAIL_LIMIT,
  LOST_FACTOR_LIMIT,
  RESET_ADDRESS_LIMIT,
  RESET_CLIENT_LIMIT,
} from '../identity/limits/recovery-limits.ts'
import {
  MAIL_PASSWORD_SECONDS,
  RECOVERY_CONFIRM_SECONDS,
  RECOVERY_LONG_WAIT_SECONDS,
  RECOVERY_OPEN_SECONDS,
  RECOVERY_PAUSE_SECONDS,
  RECOVERY_WAIT_SECONDS,
} from '../identity/recovery/factor-recovery.ts'
import { SESSION_POLICY } from '../session-services.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

function read(name: string): string {
  return readFileSync(new URL(`../${name}`, import.meta.url), 'utf8').replace(/\s+/g, ' ')
}

describe('SECURITY.md', () => {
  const text = read('SECURITY.md')
  const limits = read('docs/limits.md')

  it('gives the lifetimes of sessions, with the reason [RA-2601 RA-0002]', () => {
    const { idleMilliseconds, absoluteMilliseconds } = SESSION_POLICY
    assert.ok(
      text.includes(`ends after ${idleMilliseconds / 1000 / MINUTE} minutes without a request, because`),
    )
    assert.ok(
      text.includes(`It ends after ${absoluteMilliseconds / 1000 / HOUR} hours in any case: a working day`),
    )
    assert.ok(text.includes('Several sessions of an account may be open at a time'))
  })

  it('gives the accepted factors, and what their codes are worth [RA-2601]', () => {
    assert.ok(text.includes(`for ${TOTP_PERIOD_SECONDS} seconds and ${DEFAULT_PAST_SECONDS} more`))
    assert.ok(text.includes(`one of ${RECOVERY_CODES}, `))
    assert.ok(limits.includes(`| the ${HOTP_LOOK_AHEAD} counters after the last accepted one, once`))
    assert.ok(text.includes(`and up to ${HOTP_LOOK_AHEAD} are looked at`))
    assert.match(
      text,
      /Codes by SMS are not offered, and codes by email are off by default[\s\S]*Neither counts as a factor of an account/,
    )
  })

  it('says how guessing is limited, and who can lock out whom [RA-2601]', () => {
    const { failures, windowSeconds, maxLockSeconds = 0 } = PASSWORD_LIMIT
    assert.ok(text.includes(`twice as long, up to ${maxLockSeconds / HOUR} hours`))
    assert.ok(limits.includes(`twice as long, up to ${maxLockSeconds / HOUR} hours |`))
    assert.ok(limits.includes(`for this client, up to ${(CLIENT_LIMIT.maxLockSeconds ?? 0) / HOUR} hour;`))
    assert.ok(
      text.includes(`pause its passwords for ${windowSeconds / MINUTE} minutes with ${failures} wrong ones`),
    )
    for (const [what, { failures: count, windowSeconds: seconds }, unit, name] of [
      ['emails with a link for a new password, to one address', RESET_ADDRESS_LIMIT, MINUTE, 'minutes'],
      ['the same, asked for by one client', RESET_CLIENT_LIMIT, MINUTE, 'minutes'],
      [
        'emails with a link that begins a required setup, to one account',
        ENROLLMENT_MAIL_LIMIT,
        MINUTE,
        'minutes',
      ],
      ['requests to replace lost factors, of one account', LOST_FACTOR_LIMIT, HOUR, 'hours'],
    ] as const)
      assert.ok(limits.includes(`| ${what} | ${count} in ${seconds / unit} ${name} |`), what)
    assert.ok(limits.includes(`| link for a new password | ${RESET_SECONDS / MINUTE} minutes, once`))
  })

  it('gives the recovery policy with its times [RA-2601 RA-2101]', () => {
    const long = `${RECOVERY_LONG_WAIT_SECONDS / DAY} days if the password was set by a link in an email within the last ${MAIL_PASSWORD_SECONDS / DAY} days`
    for (const part of [
      `confirmed within ${RECOVERY_CONFIRM_SECONDS / MINUTE} minutes`,
      `a waiting time of ${RECOVERY_WAIT_SECONDS / HOUR} hours`,
      long,
      `in the same browser, within ${RECOVERY_OPEN_SECONDS / DAY} days`,
      `none can be asked for within ${RECOVERY_PAUSE_SECONDS / HOUR} hours`,
      `send ${LOST_FACTOR_LIMIT.failures} emails in ${LOST_FACTOR_LIMIT.windowSeconds / HOUR} hours`,
      `at least ${(RECOVERY_PAUSE_SECONDS + RECOVERY_WAIT_SECONDS) / DAY} days for each try`,
    ])
      assert.ok(text.includes(part), part)
  })

  it('lists every kind of event that is logged, each once and no other, and where all of them are in words [RA-2601 RA-0008]', () => {
    const listed = [...text.slice(text.indexOf('## What is logged')).matchAll(/- `([\w-]+)`/g)].map(
      ([, kind = '']) => kind,
    )
    assert.deepEqual(listed, Object.values(AuditEvent).toSorted())
    assert.match(text, /`messages\/events\.ts` has every kind in words/)
  })
})
