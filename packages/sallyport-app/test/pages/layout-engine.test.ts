import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LayoutEngine } from 'sallyport-app/pages'
import { ViewEngine } from 'sallyport/view'

type Values = Readonly<Record<string, unknown>>

/** Writes down what it is asked to render. */
class Written extends ViewEngine {
  readonly pages: [string, Values][] = []

  override async render(template: string, data: Values): Promise<string> {
    this.pages.push([template, data])
    return `<${template}>`
  }
}

async function rendered(template: string, data: Values): Promise<readonly [string, Values][]> {
  const inner = new Written()
  const engine = new LayoutEngine({
    inner,
    layout: 'layout',
    errors: { template: 'error', statuses: [400, 404, 500], codes: { ERR_LATE: 'out-of-date' } },
    defaults: { page: '', logo: 'a logo' },
    around: ({ page }) => ({ shell: `around ${page}` }),
  })
  assert.equal(await engine.render(template, data), '<layout>')
  return inner.pages
}

describe('LayoutEngine', () => {
  it('puts a page into the layout, with the values of the site where it has none of its own', async () => {
    const [page, layout] = await rendered('notes', { page: 'notes', title: 'Notes' })

    assert.equal(page?.[0], 'notes')
    assert.equal(page?.[1]['logo'], 'a logo')
    const { content, shell, title, failed, here } = layout?.[1] ?? {}
    assert.deepEqual([content, shell, title, failed, here], ['<notes>', 'around notes', 'Notes', false, ''])
  })

  it('shows what parts add to a page where it says so, with the data of the page', async () => {
    const slots = { menu: ['a::line', 'b::line'] }
    const pages = await rendered('notes', { title: 'Notes', slots })
    const added = pages[0]?.[1]['added'] as (slot: string, between?: string) => Promise<unknown>

    assert.equal(String(await added('menu', ' · ')), '<a::line> · <b::line>')
    assert.equal(String(await added('foot')), '')
    assert.deepEqual(
      pages.slice(2).map(([template, { title }]) => [template, title]),
      [
        ['a::line', 'Notes'],
        ['b::line', 'Notes'],
      ],
    )
  })

  for (const [data, words] of [
    [{ error: { status: 404, title: 'No table x' } }, '404'],
    [{ error: { status: 418 } }, '400'],
    [{ error: { status: 502 } }, '500'],
    [{}, '500'],
    [{ error: { status: 403, code: 'ERR_LATE' } }, 'out-of-date'],
    [{ error: { status: 503 }, words: 'sign-out' }, 'sign-out'],
  ] as const)
    it(`words an error by "${words}", and says nothing of its own text`, async () => {
      const [page] = await rendered('error', data)

      const { title, text, page: name, typed } = page?.[1] ?? {}
      assert.deepEqual(
        [title, text, name, typed],
        [`error.${words}.title`, `error.${words}.text`, 'error', []],
      )
    })
})
