import { defineModule, type ModuleDefinition } from 'sallyport'
import { BrandController } from './brand-controller.ts'

// Nobody is asked for who they are.
const brand: ModuleDefinition = defineModule('Brand', (module) =>
  module
    .mount('brand')
    .withoutConventionRouting()
    .controllers(BrandController)
    .routes((routes) => {
      routes.get('/styles.css', [BrandController, 'styles']).name('styles')
      routes.get('/icon.svg', [BrandController, 'icon']).name('icon')
    }),
)

export default brand
