import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { temporary } from '../support.ts'
import { Program, Visitor } from './process.ts'

function settings(test: TestContext, basePath: string): Readonly<Record<string, string>> {
  return { PORT: '0', DATA_DIR: temporary(test), BASE_PATH: basePath, DEMO: '0' }
}

describe('npm start with BASE_PATH', () => {
  it('prints addresses with it, serves below it, and gives it to links of commands [MEND-12]', async (test) => {
    const variables = settings(test, '/accounts')
    const program = new Program(test, variables)
    const banner = await program.banner()
    const url = await program.url()
    const adding = ['add', 'eve@example.test', '--name', 'Eve', '--reason', 'ticket 4711']

    const page = await new Visitor(url).open('/login')
    const added = await new Program(test, variables, adding).ended()
    const checked = await new Program(test, variables, ['check']).ended()

    assert.match(url, /^http:\/\/[^/]+\/accounts$/)
    assert.match(
      banner,
      /New account: http:\/\/[^/]+\/accounts\/sign-up, its mail: http:\/\/[^/]+\/accounts\/dev\/mail/,
    )
    assert.equal(page.status, 200)
    assert.match(added.output, /http:\/\/[^/]+\/accounts\/set-up\/[\w-]+/)
    assert.match(checked.output, /^Base path: \/accounts$/m)
  })

  it('reports in one line that a page has a path that begins like it, and so does check [MEND-12 MEND-14]', async (test) => {
    const variables = settings(test, '/admin')

    const started = await new Program(test, variables).ended()
    const checked = await new Program(test, variables, ['check']).ended()

    for (const { code, errors } of [started, checked]) {
      assert.equal(code, 1)
      assert.match(
        errors,
        /^Cannot start: BASE_PATH must not begin like a page of the application, and "\/admin" does.*\n$/,
      )
    }
  })
})
