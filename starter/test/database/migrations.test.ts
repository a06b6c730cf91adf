import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { migrationsOf } from '../../core/database/migrations.ts'
import type { Part } from '../../core/part.ts'

describe('migrations', () => {
  it('of a part run after those of the core, and its later ones after its first, also after the ninth [RA-3202]', () => {
    const later = Array.from({ length: 9 }, (_, index) => [`UPDATE note SET text = '${index}'`])
    const notes: Part = {
      name: 'my-notes',
      migration: ['CREATE TABLE note (text TEXT)'],
      laterMigrations: later,
    }

    const made = migrationsOf([{ name: 'silent' }, notes])

    const names = made.map(({ name }) => name)
    assert.deepEqual(names, names.toSorted())
    assert.deepEqual(
      names.filter((name) => /core|notes(?:\.02|\.10)?$/.test(name)),
      ['core', 'part_my_notes', 'part_my_notes.02', 'part_my_notes.10'],
    )
    assert.deepEqual(made.at(1)?.statements, notes.migration)
    assert.deepEqual(made.at(-1)?.statements, later.at(-1))
  })
})
