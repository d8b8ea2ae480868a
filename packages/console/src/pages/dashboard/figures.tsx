import { SimpleGrid, Text } from '@mantine/core';
import { TextLink } from '../../components/links.tsx';
import { Figure } from './figure.tsx';
import { isSettled } from './query-outcome.ts';
import { useFigures } from './use-figures.ts';

type FiguresProps = { readonly companyId: string; readonly todayMs: number };

/** Running runs, the spending of the day, agents by status and conflicts; what is zero stands together in one line. */
export const Figures = ({ companyId, todayMs }: FiguresProps) => {
  const figures = useFigures(companyId, todayMs);
  // Nothing moves into the line of zeros while others are still loading.
  const areSettled = figures.every(({ query }) => isSettled(query));
  const zeros = figures.filter(({ value }) => areSettled && value === 0);
  return (
    <div>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }}>
        {figures
          .filter((figure) => !zeros.includes(figure))
          .map(({ label, query, value, text, link }) => (
            <Figure key={label} query={query} text={text ?? value}>
              <TextLink
                {...link}
                params={{ companyId }}
                size="sm"
                aria-label={`${text ?? value ?? ''} ${label}`.trim()}
              >
                {label}
              </TextLink>
            </Figure>
          ))}
      </SimpleGrid>
      {zeros.length > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          None:{' '}
          {zeros.map(({ label, link }, index) => (
            <span key={label}>
              {index > 0 && ', '}
              <TextLink {...link} params={{ companyId }} size="sm">
                {label}
              </TextLink>
            </span>
          ))}
        </Text>
      )}
    </div>
  );
};
