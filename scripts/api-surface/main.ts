/**
 * Writes test/scripts/fixture/api-surface.md.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readEntries, readDeclarations } from './declarations.ts'
import { describeSurface } from './surface.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

writeFileSync(
  join(root, 'test', 'scripts', 'fixture', 'api-surface.md'),
  describeSurface(readEntries(root), readDeclarations(root)),
)
