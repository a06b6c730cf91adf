import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { Routes } from 'sallyport/routing'

import { ask, claim, inspect, module, PageController, router, table } from '../../routing/fixture.ts'

function notes(steps: NonNullable<Parameters<typeof module>[1]>): readonly string[] {
  return inspect(router([module('Shop', steps)]))
    .audit()
    .findings.filter(({ code }) => code === 'foreign-placeholder')
    .map(({ severity, message }) => `${severity} ${message.replaceAll(/ \(\S+:\d+\)/g, '')}`)
}

function notesOf(...paths: readonly string[]): readonly string[] {
  const declare = (routes: Routes): void => {
    for (const path of paths) routes.get(path, [PageController, path.includes('{path}') ? 'file' : 'index'])
  }
  return notes({ steps: [table(declare)] })
}

function mendOf(path: string): string | undefined {
  return notesOf(path)[0]?.split(': write ')[1]
}

describe('Inspection.audit() about placeholders of other frameworks', () => {
  it('notes ":id", which only that very URL reaches, and what to write [TABLE-05]', () => {
    const app = router([
      module('Shop', { steps: [table((routes) => void routes.get('/:id', [PageController, 'index']))] }),
    ])

    assert.equal(ask(app, '/shop/:id'), 'Shop PageController.index()')
    assert.equal(ask(app, '/shop/7'), '404')
    assert.deepEqual(notesOf('/:id'), [
      'note ":id" of GET /:id looks like a placeholder, but is matched as text: write "{id}"',
    ])
  })

  it('knows the spellings of other frameworks', () => {
    assert.equal(mendOf('/orders/:from-:to'), '"{from}-{to}"')
    assert.equal(mendOf('/{path}.:format'), '"{path}.{format}"')
    assert.equal(mendOf('/[slug]'), '"{slug}"')
    assert.equal(mendOf('/[...path]'), '"{path}"')
    assert.equal(mendOf('/<int:id>'), '"{id}"')
    assert.equal(mendOf('/files/*'), `"{path}" and where('path', '.+')`)
    assert.equal(mendOf('/files/*rest'), `"{rest}" and where('rest', '.+')`)
  })

  it('says nothing of colons, stars and brackets that are text', () => {
    assert.deepEqual(
      notesOf('/reports:export', '/{path}:export', '/12:30', '/:', '/2*3', '/a[0]', '/@{path}', '/a*', '/'),
      [],
    )
  })

  it('notes each once: of a route with a path for each method, of a group, of a claim', () => {
    const declare = (routes: Routes): void => {
      routes.map(['GET', 'POST'], '/a', [PageController, 'index'])
    }
    const grouped = table((routes) => {
      routes.prefix('/:shop').group(declare)
    })

    assert.deepEqual(
      notes({
        steps: [grouped, claim('/:news', (routes) => void routes.get('/b', [PageController, 'index']))],
      }),
      [
        'note ":shop" of GET|POST /:shop/a looks like a placeholder, but is matched as text: write "{shop}"',
        'note ":news" of claim "/:news" of module "Shop" looks like a placeholder, but is matched as text: write "{news}"',
      ],
    )
  })
})
