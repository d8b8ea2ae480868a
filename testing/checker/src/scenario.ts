import type { CheckedCompany, CheckedEnvironment } from './environment.ts';
import type { History } from './history.ts';

/** What a scenario works on. */
export type ScenarioContext = {
  readonly environment: CheckedEnvironment;
  readonly company: CheckedCompany;
  readonly history: History;
};

/** The shortest sequence that can violate one invariant. It is bounded by its work, not by time. */
export type Scenario = (stage: ScenarioContext) => Promise<void>;
