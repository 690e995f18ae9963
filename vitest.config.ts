import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The tests start the built binary; that takes a while on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
