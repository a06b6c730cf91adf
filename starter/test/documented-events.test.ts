import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { AuditEvent } from '../core/audit/audit-trail.ts'
import { PARTS } from '../parts.ts'

const EVENTS = [...Object.values(AuditEvent), ...PARTS.flatMap(({ events = [] }) => events)]

describe('SECURITY.md', () => {
  it('lists every kind of event that is logged, each once and no other [RA-2601 RA-0008]', () => {
    const text = readFileSync(new URL('../SECURITY.md', import.meta.url), 'utf8')
    const section = text.slice(text.indexOf('## What is logged'))
    const listed = [...section.matchAll(/- `([\w-]+)`/g)].map(([, kind = '']) => kind)

    assert.deepEqual(listed, EVENTS.toSorted())
  })
})
