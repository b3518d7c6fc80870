// The one way by which scripts outside web/ reach npm packages; web/package.json names them all.
import { importPackage as importFromWeb } from '../web/site/import-package.mjs';

/**
 * Imports an npm package from web/node_modules.
 * @param {string} name as in an import statement, for example 'puppeteer-core' or 'js-tiktoken/ranks/gpt2'
 * @returns {Promise<object>} the package's module namespace
 * @throws {Error} that says how to install, when the package is missing
 */
export async function importPackage(name) {
  try {
    return await importFromWeb(name);
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(`npm package ${name} is missing: run "npm ci" in web/ (tools/build does it)`, { cause: error });
  }
}
