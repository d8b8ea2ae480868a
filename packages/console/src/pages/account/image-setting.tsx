import { Switch } from '@mantine/core';
import { foreignImages } from '../../app/foreign-images.ts';
import { Panel } from '../../components/panel.tsx';

/** Whether notes show images of other servers, in this browser. */
export const ImageSetting = () => (
  <Panel title="Images in notes">
    <Switch
      label="Show images from other servers"
      description="Applies to this browser. Those servers learn your IP address and when you read a note."
      checked={foreignImages.areShown()}
      onChange={(event) => foreignImages.choose(event.currentTarget.checked)}
    />
  </Panel>
);
