import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { appTarball, packPackage, succeed } from '../cli/packed-package.ts'
import { root } from './guide-code.ts'

const MAX_BYTES = 2_500_000
const MAX_FILES = 500

const PACKAGES: Readonly<Record<string, (tarball: string) => string>> = {
  sallyport: (tarball) => tarball,
  'sallyport-app': appTarball,
}

for (const [name, tarballOf] of Object.entries(PACKAGES))
  describe(`the packed package ${name}`, () => {
    let folder = ''
    let tarball = ''
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'sallyport-packed-'))
      tarball = tarballOf(packPackage(folder))
      succeed('tar', ['-xzf', tarball, '-C', folder], folder)
    })
    after(() => rmSync(folder, { recursive: true, force: true }))

    it(`has at most ${MAX_FILES} files and ${MAX_BYTES} bytes`, () => {
      const sizes = readdirSync(join(folder, 'package'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => statSync(join(entry.parentPath, entry.name)).size)
      const bytes = sizes.reduce((sum, size) => sum + size, 0)

      assert.ok(sizes.length <= MAX_FILES, `${sizes.length} files`)
      assert.ok(bytes <= MAX_BYTES, `${bytes} bytes`)
    })

    it('has nothing that publint finds', async () => {
      const { messages, pkg } = await publint({ pkgDir: join(folder, 'package'), pack: false, strict: true })

      assert.deepEqual(
        messages.map((message) => formatMessage(message, pkg ?? {}, { color: false })),
        [],
      )
    })

    it('has the version of the framework, which it asks for [RA-3324]', () => {
      const versionOf = (path: string): string =>
        (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version
      const { peerDependencies = {} } = JSON.parse(
        readFileSync(join(folder, 'package/package.json'), 'utf8'),
      ) as { readonly peerDependencies?: Readonly<Record<string, string>> }
      const version = versionOf(join(root, 'package.json'))

      assert.equal(versionOf(join(folder, 'package/package.json')), version)
      if (name !== 'sallyport') assert.equal(peerDependencies['sallyport'], `^${version}`)
    })

    it('has types that every resolution of modules finds, and that tell what there is', async () => {
      const analysis = await checkPackage(createPackageFromTarballData(readFileSync(tarball)))

      assert.ok(analysis.types !== false)
      // It is a package of ES modules: neither the resolution of Node 10 nor CommonJS without `require(esm)` is for it.
      const problems = analysis.problems.filter(
        (problem) =>
          !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind),
      )
      assert.deepEqual(problems, [])
    })
  })
