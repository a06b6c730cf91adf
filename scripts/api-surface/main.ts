/**
 * Writes test/scripts/fixture/api-surface.md and app-surface.md.
 *
 * @module
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { APP, readAppDeclarations, readDeclarations, readEntries } from './declarations.ts'
import { describeSurface } from './surface.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

write('api-surface.md', describeSurface(readEntries(root), readDeclarations(root)))
write('app-surface.md', describeSurface(readEntries(root, APP), readAppDeclarations(root)))

function write(name: string, text: string): void {
  writeFileSync(join(root, 'test', 'scripts', 'fixture', name), text)
}
